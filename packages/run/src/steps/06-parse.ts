import { ASKING_OUTCOMES, planText } from '@attractor/pipeline';
import { git } from '@attractor/repository';
import { judgeEnd } from './05-monitor.ts';
import {
  resultOf,
  type RunContext,
  type StepOutcome,
  type StepResults,
  type AgentExchange,
} from '../run-context/run-context.ts';
import { type Found, questionFromText, readOutcome } from './read-outcome.ts';
import { exchangeWithAgent } from './exchange.ts';
import { agentOf } from './agent-of-run.ts';

type Parsed = StepResults['parse'];

/**
 * Reads the outcome: from the tool's report, otherwise from markers. If it is missing or invalid the agent is asked once more; after that
 * it is inferred if possible.
 */
export async function parse(context: RunContext): Promise<StepOutcome<Parsed>> {
  const first = resultOf(context, 'execute');
  const reading = readOutcome(context, first.result);
  if ('found' in reading) return { result: { ...reading.found, talk: first } };
  const repaired = await askAgain(context, reading.problem);
  if (repaired === null) return conclude(context, { talk: first, ...reading });
  const failure = judgeEnd(repaired);
  // An agent that fails while it is asked for the outcome has still done its work; one that was stopped has not.
  if (failure?.code === 'agent_failed') return conclude(context, { talk: first, ...reading });
  if (failure !== null) return { failure };
  const second = readOutcome(context, repaired.result);
  const talk = withEarlierText(first, repaired);
  if ('found' in second) return { result: { ...second.found, talk }, run: { tokenUsage: talk.result.tokenUsage } };
  const problem = [...new Set([reading.problem, second.problem])].join(' Asked again: ');
  return conclude(context, { talk, problem, reported: second.reported ?? reading.reported });
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

type Unclear = { readonly talk: AgentExchange; readonly problem: string; readonly reported: string | null };

/**
 * What an agent reported is never replaced by something else: a question is asked in its own words, anything else is a failure that says
 * what was reported. Only where nothing was reported the end is inferred.
 */
async function conclude(context: RunContext, unclear: Unclear): Promise<StepOutcome<Parsed>> {
  const { talk, problem, reported } = unclear;
  const run = { tokenUsage: talk.result.tokenUsage };
  const concluded =
    reported === null
      ? (askedInWords(context, talk) ?? (await inferred(context, talk)))
      : ASKING_OUTCOMES.has(reported)
        ? questionFromText(talk.result)
        : null;
  if (concluded !== null) return { run, result: { ...concluded, talk } };
  return { run, failure: { code: 'no_outcome', message: `The agent ended without a usable outcome. ${problem}` } };
}

/** Whoever clarifies may only ask in words. */
function askedInWords({ state }: RunContext, { result }: AgentExchange): Found | null {
  return state.run.mode === 'clarify' && result.finalText.trim().endsWith('?') ? questionFromText(result) : null;
}

/** The end of a plan is inferred from its text, that of an implementation from commits (the checks follow); a review is never inferred. */
async function inferred(context: RunContext, talk: AgentExchange): Promise<Omit<Parsed, 'talk'> | null> {
  const outcome = await infer(context, talk);
  const offered = resultOf(context, 'context').outcomes.some((choice) => choice.outcome === outcome);
  return outcome === null || !offered ? null : { outcome, payload: null, source: 'inferred' };
}

async function infer(context: RunContext, talk: AgentExchange): Promise<string | null> {
  const { mode } = context.state.run;
  if (mode === 'plan' || mode === 'clarify')
    return planText({ payload: null, result: talk.result }) === null ? null : 'plan_complete';
  if (mode !== 'implement') return null;
  const { worktree } = resultOf(context, 'prepare');
  const commits = await git(['rev-list', '--count', `${worktree.head}..HEAD`], { cwd: worktree.path });
  if (commits.ok && Number(commits.value) > 0) return 'pr_ready';
  const dirty = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd: worktree.path });
  const commitsLeftovers = resultOf(context, 'configure').config.autoCommit !== false;
  return commitsLeftovers && dirty.ok && dirty.value !== '' ? 'pr_ready' : null;
}
