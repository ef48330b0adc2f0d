import { join } from 'node:path';
import { checkForSecrets } from '../checks/no-secrets.ts';
import { followedConfig, type ProjectConfig } from '@attractor/project-config';
import { restoreAfterChecks, runChecks } from '../checks/run-checks.ts';
import { trustedChecks } from './trusted-checks.ts';
import { ASKING_OUTCOMES, judgePayload } from '@attractor/pipeline';
import type { CheckResult, NewEvent } from '@attractor/store';
import { statePath } from './01-prepare.ts';
import { judgeEnd } from './05-monitor.ts';
import { reportCheck, reportRestored } from './check-events.ts';
import { commitLeftovers } from './commit-leftovers.ts';
import { confined } from '../run-context/confinement.ts';
import { fenced } from '../context/fence.ts';
import { planText } from './plan-text.ts';
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
  const { outcome, payload, talk } = resultOf(context, 'parse');
  const problem = judgePayload(outcome, payload) ?? missingPlan(context);
  if (problem !== null) return { failure: { code: 'invalid_outcome', message: problem } };
  const asking = ASKING_OUTCOMES.has(outcome);
  const { worktree } = resultOf(context, 'prepare');
  const valid: Validated = { outcome, payload, talk, head: worktree.head };
  if (context.state.run.mode !== 'implement') return asking ? { result: valid } : judgeWork(context, valid);
  await putBackChecks(context);
  const title = context.task.title;
  const committed = await commitLeftovers(context, asking ? `Work in progress: ${title}` : title);
  if (!committed.ok)
    return {
      failure: { code: 'environment', message: `The agent's work could not be committed: ${committed.error.message}` },
    };
  const done: Validated = { ...valid, head: committed.value };
  return asking ? { result: done } : judgeWork(context, done);
}

/** A process that died in the middle of a check left the check's files here, mixed with the agent's work. */
async function putBackChecks(context: RunContext): Promise<void> {
  const folder = resultOf(context, 'prepare').worktree.path;
  const onRestored = (files: ReadonlyArray<string>) => reportRestored(context, files);
  for (const round of ROUNDS) await restoreAfterChecks({ folder, outputFolder: outputOf(context, round), onRestored });
}

const ROUNDS = ['0', '1'] as const;

function outputOf(context: RunContext, round: (typeof ROUNDS)[number]): string {
  return join(statePath(context), 'checks', round);
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
  const first = await checkWork(context, config.value, { head: valid.head, round: '0' });
  if (blocking(first, config.value).length === 0)
    return { result: valid, run: { checks: [...base, ...first] }, events };
  const repaired = await repair(context, blocking(first, config.value));
  if (repaired === null) return checksFailed(context, { valid, results: first, config: config.value });
  const { tokenUsage } = repaired.result;
  const failure = judgeEnd(repaired);
  if (failure !== null) return { failure, run: { checks: [...base, ...first], tokenUsage } };
  const committed = await commitLeftovers(context, `Repair failing checks: ${context.task.title}`);
  if (!committed.ok)
    return {
      failure: { code: 'environment', message: `The repair could not be committed: ${committed.error.message}` },
    };
  const second = await checkWork(context, config.value, { head: committed.value, round: '1' });
  const talk = { ...valid.talk, result: { ...valid.talk.result, tokenUsage } };
  const after: Validated = { ...valid, head: committed.value, talk };
  if (blocking(second, config.value).length > 0)
    return checksFailed(context, { valid: after, results: second, config: config.value });
  return { result: after, run: { checks: [...base, ...second], tokenUsage }, events };
}

type Round = { readonly head: string; readonly round: (typeof ROUNDS)[number] };

async function checkWork(
  context: RunContext,
  config: ProjectConfig,
  { head, round }: Round,
): Promise<ReadonlyArray<CheckResult>> {
  const folder = resultOf(context, 'prepare').worktree.path;
  const { checks } = trustedChecks(context, config);
  const results = await confined(context, folder, (allowed) =>
    runChecks(checks, {
      folder,
      phase: 'branch',
      env: context.services.env,
      secrets: context.services.secrets,
      allowed,
      signal: AbortSignal.any([context.letGo, context.cancel]),
      outputFolder: outputOf(context, round),
      onResult: (result) => reportCheck(context, result, Number(round)),
      onRestored: (files) => reportRestored(context, files),
    }),
  );
  const secrets = await lookForSecrets(context, config, head);
  if (secrets === null) return results;
  await reportCheck(context, secrets, Number(round));
  return [...results, secrets];
}

/** Null if nothing was added, or if the result is not worth showing: the built-in search is only shown when it finds something. */
async function lookForSecrets(context: RunContext, config: ProjectConfig, head: string): Promise<CheckResult | null> {
  const { isOn, isNamed, severity, modes } =
    config.trust === 'trusted'
      ? config.secrets
      : ({ isOn: true, isNamed: false, severity: 'error', modes: null } as const);
  const { worktree } = resultOf(context, 'prepare');
  const isMode = modes === null || modes.includes(context.state.run.mode);
  if (!isOn || !isMode || head === worktree.baseCommit) return null;
  const result = await checkForSecrets({
    folder: worktree.path,
    from: worktree.baseCommit,
    to: head,
    severity,
    signal: AbortSignal.any([context.letGo, context.cancel]),
  });
  return isNamed || result.output !== '' ? result : null;
}

function blocking(results: ReadonlyArray<CheckResult>, config: ProjectConfig): ReadonlyArray<CheckResult> {
  return results.filter(
    ({ passed, severity }) => !passed && (severity === 'error' ? config.failOnError : config.failOnWarning),
  );
}

async function repair(context: RunContext, failed: ReadonlyArray<CheckResult>): Promise<AgentExchange | null> {
  const agent = await agentOf(context);
  if (agent?.say === undefined || context.state.run.mode !== 'implement') return null;
  const reports = failed.map(
    ({ name, command, exitCode, output }) =>
      `## ${name}\n\`${command}\` ended with ${exitCode ?? 'no exit code'}:\n\n${fenced(output)}`,
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
