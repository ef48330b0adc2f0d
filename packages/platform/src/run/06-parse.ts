import type { AgentRunResult } from '@attractor/adapters';
import { judgePayload, readMarkers, readPayload } from '@attractor/pipeline';
import { git } from '@attractor/repository';
import { judgeEnd } from './05-monitor.ts';
import { planText } from './plan-text.ts';
import {
  resultOf,
  type RunContext,
  type StepOutcome,
  type StepResults,
  type AgentExchange,
} from '../run-context/run-context.ts';
import { exchangeWithAgent } from './exchange.ts';
import { agentOf } from './agent-of-run.ts';

type Parsed = StepResults['parse'];
type Reading = { readonly found: Omit<Parsed, 'talk'> } | { readonly problem: string };

/**
 * Reads the outcome: from the tool's report, otherwise from markers. If it is missing or invalid the agent is asked once more; after that
 * it is inferred if possible.
 */
export async function parse(context: RunContext): Promise<StepOutcome<Parsed>> {
  const first = resultOf(context, 'execute');
  const reading = readOutcome(context, first.result);
  if ('found' in reading) return { result: { ...reading.found, talk: first } };
  const repaired = await askAgain(context, reading.problem);
  if (repaired === null) return conclude(context, { talk: first, problem: reading.problem });
  const failure = judgeEnd(repaired);
  // An agent that fails while it is asked for the outcome has still done its work; one that was stopped has not.
  if (failure?.code === 'agent_failed') return conclude(context, { talk: first, problem: reading.problem });
  if (failure !== null) return { failure };
  const second = readOutcome(context, repaired.result);
  const talk = withEarlierText(first, repaired);
  if ('found' in second) return { result: { ...second.found, talk }, run: { tokenUsage: talk.result.tokenUsage } };
  return conclude(context, { talk, problem: [...new Set([reading.problem, second.problem])].join(' Asked again: ') });
}

function readOutcome(context: RunContext, result: AgentRunResult): Reading {
  if (result.outcome !== undefined)
    return fit(context, { outcome: result.outcome, payload: readPayload(result.payload ?? null), source: 'tool' });
  const marked = readMarkers(result.finalText);
  if (marked.kind === 'none') return { problem: 'No outcome was reported.' };
  if (marked.kind === 'broken') return { problem: marked.problem };
  return fit(context, { outcome: marked.outcome, payload: readPayload(marked.payload ?? null), source: 'markers' });
}

function fit(context: RunContext, found: Omit<Parsed, 'talk'>): Reading {
  const { outcomes } = resultOf(context, 'context');
  if (!outcomes.some((choice) => choice.outcome === found.outcome)) {
    return {
      problem: `The outcome "${found.outcome}" is not possible here; possible are ${outcomes.map((choice) => choice.outcome).join(', ')}.`,
    };
  }
  const problem = judgePayload(found.outcome, found.payload);
  return problem === null ? { found } : { problem };
}

/** Null if the agent accepts no further input. */
async function askAgain(context: RunContext, problem: string): Promise<AgentExchange | null> {
  const agent = await agentOf(context);
  if (agent?.say === undefined) return null;
  const names = resultOf(context, 'context').outcomes.map((choice) => choice.outcome);
  return exchangeWithAgent(context, {
    inputKey: 'repair:outcome',
    maxToolRounds: 3,
    prompt: `${problem} Do no further work. Report the outcome now, with the report_outcome tool if you have it, else with the markers you were given. Possible outcomes: ${names.join(', ')}.`,
  });
}

/** The text of the work is kept; the short reply that names the outcome does not replace it. */
function withEarlierText(first: AgentExchange, repaired: AgentExchange): AgentExchange {
  const text = first.result.finalText.trim() === '' ? repaired.result.finalText : first.result.finalText;
  return { ...repaired, result: { ...repaired.result, finalText: text } };
}

/** The end of a plan is inferred from its text, that of an implementation from commits (the checks follow); a review is never inferred. */
async function conclude(
  context: RunContext,
  { talk, problem }: { readonly talk: AgentExchange; readonly problem: string },
): Promise<StepOutcome<Parsed>> {
  const inferred = await infer(context, talk);
  const offered = resultOf(context, 'context').outcomes.some((choice) => choice.outcome === inferred);
  const run = { tokenUsage: talk.result.tokenUsage };
  if (inferred === null || !offered)
    return { run, failure: { code: 'no_outcome', message: `The agent ended without a usable outcome. ${problem}` } };
  return { run, result: { outcome: inferred, payload: null, source: 'inferred', talk } };
}

async function infer(context: RunContext, talk: AgentExchange): Promise<string | null> {
  const { mode } = context.state.run;
  if (mode === 'plan') return planText({ payload: null, result: talk.result }) === null ? null : 'plan_complete';
  if (mode !== 'implement') return null;
  const { worktree } = resultOf(context, 'prepare');
  const commits = await git(['rev-list', '--count', `${worktree.head}..HEAD`], { cwd: worktree.path });
  if (commits.ok && Number(commits.value) > 0) return 'pr_ready';
  const dirty = await git(['status', '--porcelain'], { cwd: worktree.path });
  const commitsLeftovers = resultOf(context, 'configure').config.autoCommit !== false;
  return commitsLeftovers && dirty.ok && dirty.value !== '' ? 'pr_ready' : null;
}
