import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { followedConfig, type ProjectConfig } from '@attractor/project-config';
import { judgeCriteria } from '../criteria/judge-run.ts';
import { judgePlan } from '../plan-work/judge-plan.ts';
import { textsOfChecks, trustedChecks } from './trusted-checks.ts';
import { ASKING_OUTCOMES, fenced, judgePayload, planText } from '@attractor/pipeline';
import { askForChange, hasChange, nothingDone } from './empty-work.ts';
import type { CheckResult, NewEvent } from '@attractor/store';
import { statePath } from './01-prepare.ts';
import { judgeEnd } from './05-monitor.ts';
import { blocking, checkWork, counts, putBackChecks } from './check-work.ts';
import { commitLeftovers, commitOrAsk } from './commit-leftovers.ts';
import { expectGreen, judgeRed, expectationOf } from './expected-checks.ts';
import { judgeStage, keepToStage } from './keep-to-stage.ts';
import {
  eventOf,
  resultOf,
  type RunContext,
  type StepOutcome,
  type StepResults,
  type AgentExchange,
} from '../run-context/run-context.ts';
import { exchangeWithAgent } from './exchange.ts';
import { agentOf } from './agent-of-run.ts';

type Validated = StepResults['validate'];

/**
 * The outcome must be known and valid; then the project's own checks judge the committed work. If a check fails, the agent gets one turn to
 * repair it.
 */
export async function validate(context: RunContext): Promise<StepOutcome<Validated>> {
  const judged = await judgeCriteria(context, {
    judged: await validateWork(context),
    outputFolder: join(statePath(context), 'checks'),
  });
  const checks = textsOfChecks(context);
  return judgePlan(context, { judged, isChecked: (command) => checks.some((check) => command.includes(check)) });
}

async function validateWork(context: RunContext): Promise<StepOutcome<Validated>> {
  const { outcome, payload, talk } = resultOf(context, 'parse');
  const problem = judgePayload(resultOf(context, 'context').outcomes, outcome, payload) ?? missingPlan(context);
  if (problem !== null) return { failure: { code: 'invalid_outcome', message: problem } };
  const asking = ASKING_OUTCOMES.has(outcome);
  const { worktree } = resultOf(context, 'prepare');
  const valid: Validated = { outcome, payload, talk, head: worktree.head };
  if (context.state.run.mode !== 'implement') return asking ? { result: valid } : judgeWork(context, valid);
  await putBackChecks(context);
  const title = context.task.title;
  const asked = await commitOrAsk(context, asking ? `Work in progress: ${title}` : title);
  const { committed } = asked;
  const run = asked.talk === null ? {} : { tokenUsage: asked.talk.result.tokenUsage };
  const failure = asked.talk === null ? null : judgeEnd(asked.talk);
  if (failure !== null && failure.code !== 'agent_failed') return { failure, run };
  if (!committed.ok) return { ...notCommitted(worktree.path, committed.error.message), run };
  const done: Validated = { ...valid, head: committed.value, talk: { ...talk, result: { ...talk.result, ...run } } };
  if (asking) return { result: done, run };
  const isEmpty = outcome === 'pr_ready' && !(await hasChange(context, done.head));
  const judged = await (isEmpty ? judgeEmpty(context, done) : judgeTested(context, done));
  return { ...judged, run: { ...run, ...judged.run } };
}

/** Where tests come first, they decide. */
async function judgeTested(context: RunContext, valid: Validated): Promise<StepOutcome<Validated>> {
  const kept = await keepToStage(context, valid);
  if (kept.result === undefined) return kept;
  const judged = await judgeExpected(context, kept.result);
  const run = { ...kept.run, ...judged.run };
  // Who repaired failing checks may have gone beyond the stage once more.
  return judgeStage(context, { ...judged, run });
}

async function judgeExpected(context: RunContext, valid: Validated): Promise<StepOutcome<Validated>> {
  const expected = expectationOf(context);
  if (expected === 'red') return judgeRed(context, valid);
  const judged = await judgeWork(context, valid);
  return expected === 'green' ? expectGreen(judged) : judged;
}

function notCommitted(folder: string, why: string): StepOutcome<Validated> {
  if (!existsSync(folder))
    return { failure: { code: 'worktree_gone', message: `${folder} was deleted while the agent worked in it.` } };
  return { failure: { code: 'environment', message: `The agent's work could not be committed: ${why}` } };
}

/** Work without a change is not offered as ready: the agent is told once, then a person. */
async function judgeEmpty(context: RunContext, empty: Validated): Promise<StepOutcome<Validated>> {
  const asked = await askForChange(context);
  if (asked === null) return { result: { ...empty, ...nothingDone(empty.talk) } };
  const { tokenUsage } = asked.talk.result;
  const failure = judgeEnd(asked.talk);
  if (failure !== null && failure.code !== 'agent_failed') return { failure, run: { tokenUsage } };
  const committed = await commitLeftovers(context, context.task.title);
  if (!committed.ok) return notCommitted(resultOf(context, 'prepare').worktree.path, committed.error.message);
  const isReady = (asked.found?.outcome ?? 'pr_ready') === 'pr_ready';
  const told =
    isReady && !(await hasChange(context, committed.value)) ? nothingDone(empty.talk, asked.talk) : asked.found;
  const talk = { ...empty.talk, result: { ...empty.talk.result, tokenUsage } };
  const after: Validated = {
    ...empty,
    talk,
    head: committed.value,
    ...(told === null ? {} : { outcome: told.outcome, payload: told.payload }),
  };
  if (after.outcome !== 'pr_ready') return { result: after, run: { tokenUsage } };
  const judged = await judgeTested(context, after);
  return { ...judged, run: { tokenUsage, ...judged.run } };
}

function missingPlan(context: RunContext): string | null {
  const { outcome, payload, talk } = resultOf(context, 'parse');
  if (outcome !== 'plan_complete' || planText({ payload, result: talk.result }) !== null) return null;
  return 'The agent reported a plan, but wrote none.';
}

async function judgeWork(context: RunContext, valid: Validated): Promise<StepOutcome<Validated>> {
  const config = followedConfig(context.project.path, context.services);
  if (!config.ok) return { failure: { code: 'environment', message: config.error.message } };
  const { untrusted } = trustedChecks(context, config.value);
  const events = untrustedEvents(context, untrusted);
  const base = resultOf(context, 'prepare').baseChecks;
  const { results: first, ...scan } = await checkWork(context, config.value, { head: valid.head, round: '0' });
  const isGood = blocking(first, config.value).length === 0;
  const asItIs = { result: { ...valid, ...scan }, run: { checks: [...base, ...first] }, events } as const;
  const failing = first.filter((check) => counts(check, config.value));
  if (failing.length === 0) return asItIs;
  const repaired = await repair(context, failing);
  if (repaired === null)
    return isGood ? asItIs : checksFailed(context, { valid, results: first, config: config.value });
  const { tokenUsage } = repaired.result;
  const failure = judgeEnd(repaired);
  if (isGood && failure?.code === 'agent_failed') return { ...asItIs, run: { ...asItIs.run, tokenUsage } };
  if (failure !== null) return { failure, run: { checks: [...base, ...first], tokenUsage } };
  const committed = await commitLeftovers(context, `Repair failing checks: ${context.task.title}`);
  if (!committed.ok)
    return {
      failure: { code: 'environment', message: `The repair could not be committed: ${committed.error.message}` },
    };
  const { results: second, ...again } = await checkWork(context, config.value, { head: committed.value, round: '1' });
  const talk = { ...valid.talk, result: { ...valid.talk.result, tokenUsage } };
  const after: Validated = { ...valid, ...again, head: committed.value, talk };
  if (blocking(second, config.value).length > 0)
    return checksFailed(context, { valid: after, results: second, config: config.value });
  return { result: after, run: { checks: [...base, ...second], tokenUsage }, events };
}

const KNOWN = 'as it did before your work. Repair it if your task is about it; otherwise leave it and report as before';

async function repair(context: RunContext, failed: ReadonlyArray<CheckResult>): Promise<AgentExchange | null> {
  const agent = await agentOf(context);
  if (agent?.say === undefined || context.state.run.mode !== 'implement') return null;
  const reports = failed.map(
    ({ name, command, exitCode, timedOut, output, known }) =>
      `## ${name}\n\`${command}\` ${timedOut === true ? 'took too long' : `ended with ${exitCode ?? 'no exit code'}`}${known === true ? `, ${KNOWN}` : ''}:\n\n${fenced(output)}`,
  );
  return exchangeWithAgent(context, {
    inputKey: 'repair:checks',
    maxToolRounds: 20,
    prompt: `The project's checks fail on your work. Repair it, then report the outcome again. You have this one turn.\n\n${reports.join('\n\n')}`,
  });
}

type Rejected = {
  readonly valid: Validated;
  readonly results: ReadonlyArray<CheckResult>;
  readonly config: ProjectConfig;
};

function checksFailed(context: RunContext, { valid, results, config }: Rejected): StepOutcome<Validated> {
  const names = blocking(results, config).map((check) => check.name);
  const message = `Project checks failed: ${names.join(', ')}`;
  return {
    failure: { code: 'checks_failed', message },
    run: { checks: [...resultOf(context, 'prepare').baseChecks, ...results], tokenUsage: valid.talk.result.tokenUsage },
    events: [
      eventOf(context, {
        type: 'agent.checks_failed',
        level: 'error',
        summary: message,
        data: { originalOutcome: valid.outcome, checks: results },
      }),
    ],
  };
}

function untrustedEvents(context: RunContext, names: ReadonlyArray<string>): ReadonlyArray<NewEvent> {
  if (names.length === 0) return [];
  const summary = `Checks of the repository did not run, because nobody trusted them yet: ${names.join(', ')}. Trust the project's configuration to run them.`;
  return [
    eventOf(context, {
      type: 'run.checks_untrusted',
      level: 'warning',
      summary,
      data: { checks: names },
    }),
  ];
}
