import { messageOf } from '@attractor/base';
import { estimateOf, tokensInUse } from '../conversation/context-tracker.ts';
import type { SessionEvent } from '../types/index.ts';
import type { CompactionContext, CompactionTrigger, CompactionDecision } from './contract.ts';
import { planCompaction, type Plan } from './plan.ts';
import { summarise, type Summary } from './summarise.ts';
import { tokensOfText, tokensOfTurns } from '../conversation/tokens.ts';

const COMPACT_AT = 0.92;

/** Called before a request, also between two rounds of a turn. True if the conversation is smaller now. */
export async function* compactIfFull(run: CompactionContext): AsyncGenerator<SessionEvent, boolean> {
  const { contextWindowSize: window = 0 } = run.settings().config;
  if (run.compaction === undefined || window <= 0 || tokensInUse(run.view()) < window * COMPACT_AT) return false;
  return yield* compact(run, 'auto', '');
}

/** Called after the provider refused a request as too long. The caller tries this once. */
export async function* compactAfterOverflow(run: CompactionContext): AsyncGenerator<SessionEvent, boolean> {
  return run.compaction === undefined ? false : yield* compact(run, 'overflow', '');
}

export async function* compactOnRequest(
  run: CompactionContext,
  instructions: string,
): AsyncGenerator<SessionEvent, void> {
  if (planFor(run, 'manual') !== null) yield* compact(run, 'manual', instructions);
  else yield { kind: 'WARNING', message: 'There is nothing to compact yet: the conversation is short enough.' };
}

async function* compact(
  run: CompactionContext,
  trigger: CompactionTrigger,
  given: string,
): AsyncGenerator<SessionEvent, boolean> {
  const plan = planFor(run, trigger);
  if (plan === null) return false;
  const word = await wordBefore(run, trigger, given);
  if ('problem' in word)
    yield { kind: 'WARNING', message: `What is asked before a compaction failed: ${word.problem}` };
  else if (word.block !== undefined) {
    yield { kind: 'WARNING', message: `The conversation was not compacted: ${word.block}` };
    return false;
  }
  const instructions = ('problem' in word ? undefined : word.instructions) ?? given;
  const summary = await summarise(run, plan, { instructions, window: windowOf(run) });
  if (run.ending() !== null) return false;
  if (summary.problem !== null)
    yield {
      kind: 'WARNING',
      message: `The model's summary was not used: ${summary.problem}. A digest takes its place.`,
    };
  yield compactedEvent(run, { plan, summary, trigger });
  yield { kind: 'USAGE', usage: run.view().usage };
  return true;
}

function planFor(run: CompactionContext, trigger: CompactionTrigger): Plan | null {
  return planCompaction({ view: run.view(), window: windowOf(run), trigger });
}

/** In some scripts every character is a token; we count a quarter of a token per character. */
const MAX_DENSITY = 4;

/**
 * The window in tokens as we estimate them: smaller than stated if the provider counts more tokens than we do for what it holds. An unknown
 * window counts as large as its contents.
 */
function windowOf(run: CompactionContext): number {
  const { contextWindowSize: window = 0 } = run.settings().config;
  const view = run.view();
  if (window <= 0) return estimateOf(view);
  const used = tokensInUse(view);
  const estimated = estimateOf(view) + tokensOfText(view.systemPrompt ?? '');
  if (used < window / 2 || estimated === 0) return window;
  return window / Math.min(MAX_DENSITY, Math.max(1, used / estimated));
}

async function wordBefore(
  run: CompactionContext,
  trigger: CompactionTrigger,
  given: string,
): Promise<CompactionDecision | { readonly problem: string }> {
  try {
    return (await run.compaction?.beforeCompact?.(trigger, given)) ?? {};
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

type Made = { readonly plan: Plan; readonly summary: Summary; readonly trigger: CompactionTrigger };

function compactedEvent(run: CompactionContext, { plan, summary, trigger }: Made): SessionEvent {
  const { turns } = run.view();
  const prefix = plan.prefixWith(summary.text);
  const kept = turns.slice(turns.length - plan.keptTurns);
  return {
    kind: 'COMPACTED',
    id: plan.id,
    trigger,
    prefix,
    summary: summary.text,
    keptTurns: plan.keptTurns,
    source: summary.source,
    tokensBefore: plan.tokensBefore,
    tokensAfter: tokensOfText(prefix) + tokensOfTurns(kept),
    usage: summary.usage,
    ...(summary.model === null ? {} : { model: summary.model }),
  };
}
