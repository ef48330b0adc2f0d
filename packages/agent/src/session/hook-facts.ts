import { costOf, getModelInfo } from '@attractor/llm';
import type { Circumstances } from '../contract/session.ts';
import type { SessionView } from '../conversation/view.ts';

type Facts = Readonly<Record<string, unknown>>;

/** How long providers keep the beginning of a prompt, unless they are asked for more. */
const CACHE_SECONDS = 300;

/** What hooks are told of a conversation that goes on: how old it is, and what sending it again costs. */
export type Past = {
  readonly view: SessionView;
  /** When the model last answered, in milliseconds; null: never. */
  readonly respondedAt: number | null;
};

export function resumedFacts({ view, respondedAt }: Past, model: string): Facts {
  if (respondedAt === null) return {};
  const seconds = secondsSince(respondedAt);
  const tokens = tokensOf(view);
  return {
    seconds_since_last_response: seconds,
    context_tokens: tokens,
    prompt_cache_likely_expired: seconds > CACHE_SECONDS,
    ...cachingCost(model, tokens),
  };
}

export type ModelSwitch = {
  readonly from: string;
  readonly to: string;
  readonly asked: string | null;
  readonly source: 'command' | 'picker' | 'sdk';
};

export function switchFacts({ view, respondedAt }: Past, { from, to, asked, source }: ModelSwitch): Facts {
  const tokens = tokensOf(view);
  return {
    from_model: from,
    to_model: to,
    requested_model: asked,
    source,
    context_tokens: tokens,
    prompt_cache_warm: respondedAt !== null && secondsSince(respondedAt) <= CACHE_SECONDS,
    cache_ttl: '5m',
    estimated_cache_write_usd: 0,
    ...cachingCost(to, tokens),
    pricing: getModelInfo(to) === undefined ? 'default' : 'catalog',
  };
}

function secondsSince(then: number): number {
  return Math.max(0, Math.round((Date.now() - then) / 1_000));
}

/** The last answer counts: the next request sends it back. */
function tokensOf({ lastUsage }: SessionView): number {
  return lastUsage === null ? 0 : lastUsage.inputTokens + lastUsage.outputTokens;
}

/** Nothing for a model without a known price. */
function cachingCost(model: string, tokens: number): Facts {
  const written = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens, cacheWriteTokens: tokens };
  const cost = costOf(model, written);
  return cost === null ? {} : { estimated_cache_write_usd: cost };
}

/** Work that goes on beside the conversation. */
export function backgroundTasks({ subagents }: SessionView, { background }: Circumstances): ReadonlyArray<Facts> {
  const shells = background?.().filter(isRunning) ?? [];
  return [
    ...shells.map(({ id, status, command, description = '' }) => ({
      id,
      type: 'shell',
      status,
      description: clipped(description),
      command: clipped(command),
    })),
    ...subagents.filter(isRunning).map(({ id, status, instruction, agent = 'general-purpose' }) => ({
      id,
      type: 'subagent',
      status,
      description: clipped(instruction),
      agent_type: agent,
    })),
  ];
}

function isRunning({ status }: { readonly status: string }): boolean {
  return status === 'running';
}

const MAX_CLIPPED = 1_000;

function clipped(text: string): string {
  if (text.length <= MAX_CLIPPED) return text;
  return `${text.slice(0, MAX_CLIPPED).toWellFormed()}… [+${text.length - MAX_CLIPPED} chars]`;
}

/** The text of the model's last answer; empty if the last turn is none. */
export function lastWords({ turns }: Pick<SessionView, 'turns'>): string {
  const last = turns.at(-1);
  if (last?.kind !== 'assistant') return '';
  return last.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}
