import { criterionLine, deviationLine } from '@attractor/api';
import type { AgentRun, Artifact, CheckResult, NextStep, PlatformWorkflow, Prompt, Task } from '@attractor/platform';
import { EXIT, type ExitCode } from '../exit.ts';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** What was done, as a person reads it at the end. `failureCode` is the agent's own code for its failure. */
export type Outcome = {
  readonly task: Task;
  readonly runs: ReadonlyArray<AgentRun>;
  readonly artifacts: ReadonlyArray<Artifact>;
  readonly prompts: ReadonlyArray<Prompt>;
  readonly failureCode: string | null;
  /** What can be done next, as commands. */
  readonly steps: ReadonlyArray<NextStep>;
};

export async function readOutcome(workflow: PlatformWorkflow, taskId: string): Promise<Outcome | null> {
  const [task, runs, artifacts, prompts, events, states] = await Promise.all([
    workflow.getTask(taskId),
    workflow.listRuns({ taskId }),
    workflow.listArtifacts(taskId),
    workflow.listPrompts({ taskId, status: 'pending' }),
    workflow.events({ taskId }),
    workflow.taskStates([taskId]),
  ]);
  if (task === null) return null;
  const failed = events.findLast((event) => event.type === 'agent.failed');
  const failureCode = failed?.runId === lastOf(runs)?.id ? (failed?.data.failure?.agentCode ?? null) : null;
  return { task, runs, artifacts, prompts, failureCode, steps: states[0]?.state.steps ?? [] };
}

/** What a script learns from the end of a task. */
export function exitOf(outcome: Outcome): ExitCode {
  if (succeeded(outcome)) return EXIT.done;
  if (outcome.failureCode === 'authentication') return EXIT.unauthorised;
  return outcome.prompts.length > 0 ? EXIT.refused : EXIT.failed;
}

/** With `--plan-only`: a plan that waits is what was wanted. */
export function isPlanned({ prompts }: Outcome): boolean {
  return prompts.some(({ type }) => type === 'plan_approval');
}

/** True if the task reached a review with its last run completed and no new failure of an error-level check on the branch. */
export function succeeded({ task, runs }: Outcome): boolean {
  const reviewable = task.status === 'pr_review' || task.status === 'done';
  return (
    reviewable &&
    lastOf(runs)?.status === 'completed' &&
    branchChecks(runs).every((check) => check.passed || check.known === true || check.severity === 'warning')
  );
}

/** What came before it, and was tried again, is over. */
function lastOf(runs: ReadonlyArray<AgentRun>): AgentRun | undefined {
  return runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
}

export function summaryLines(outcome: Outcome, style: Style): ReadonlyArray<string> {
  const { task, runs, artifacts, prompts } = outcome;
  const row = (name: string, value: string) => `  ${style.dim(name.padEnd(8))} ${readableText(value)}`;
  const verdict = succeeded(outcome)
    ? style.good('Ready for review')
    : style.bad(`Ended in ${task.status.replaceAll('_', ' ')}`);
  const failure = lastOf(runs)?.error;
  return [
    '',
    `${style.bold(verdict)}  ${readableText(task.title)}`,
    ...labels(artifacts, 'branch').map((label) => row('branch', label)),
    ...labels(artifacts, 'commit').map((label) => row('commit', label)),
    ...labels(artifacts, 'diff').map((label) => row('diff', label)),
    ...checksOf(runs).map((check) => row('check', describeCheck(check))),
    ...planRows(prompts).map(([name, value]) => row(name, value)),
    row('cost', describeCost(runs)),
    ...prompts.filter(({ type }) => type !== 'review').map(({ title }) => row('waits', title)),
    ...(failure === undefined || failure === null ? [] : [row('error', failure)]),
    ...outcome.steps.slice(0, MOST_STEPS).map(({ label, command }) => row('next', `${command}  ${label}`)),
    ...(outcome.steps.length === 0 || succeeded(outcome) ? [] : [row('then', THEN)]),
  ];
}

const MET: ReadonlySet<string> = new Set(['shown', 'accepted']);

/** The work held against its plan, as it waits for a review. */
function planRows(prompts: ReadonlyArray<Prompt>): ReadonlyArray<readonly [string, string]> {
  const review = prompts.find((prompt) => prompt.type === 'review');
  const { todo = [], deviations = [] } = review?.payload ?? {};
  return [
    ...todo.map((one) => [MET.has(one.state) ? 'done' : 'not done', criterionLine(one)] as const),
    ...deviations.map((one) => ['besides', deviationLine(one)] as const),
  ];
}

/** After a stop: what goes on, what is kept, and how to take it up again. `isOver`: every agent of it has ended. */
export function stoppedLines({ task, artifacts }: Outcome, style: Style, isOver: boolean): ReadonlyArray<string> {
  const [branch] = labels(artifacts, 'branch');
  const kept = branch === undefined ? 'Nothing was changed yet.' : `What was done is kept on ${readableText(branch)}.`;
  const goesOn = isOver
    ? 'Stopped. Nothing goes on: no agent works on it, here or elsewhere.'
    : 'Its agent was told to stop and has not ended yet; `attractor status` says when it has.';
  return ['', `${goesOn} ${kept}`, `Take it up again: ${style.accent(`attractor run --resume ${task.key}`)}`];
}

/** Where a plan was all that was wanted. */
export function planLines({ task, prompts }: Outcome, style: Style): ReadonlyArray<string> {
  const plan = prompts.find(({ type }) => type === 'plan_approval');
  if (plan === undefined) return [];
  return [
    '',
    readableText(task.plan ?? ''),
    '',
    `The plan waits. Go on here: ${style.accent(`attractor run --resume ${task.key}`)}`,
    `or approve it from anywhere: ${style.accent(`attractor prompts answer ${plan.key} --approve`)}`,
  ];
}

const MOST_STEPS = 4;
const THEN = 'attractor worker --once  works on it in this terminal; attractor serve does, too';

function labels(artifacts: ReadonlyArray<Artifact>, type: Artifact['type']): ReadonlyArray<string> {
  return artifacts.filter((artifact) => artifact.type === type).map((artifact) => artifact.label);
}

function checksOf(runs: ReadonlyArray<AgentRun>): ReadonlyArray<CheckResult> {
  return runs.flatMap((run) => run.checks);
}

function branchChecks(runs: ReadonlyArray<AgentRun>): ReadonlyArray<CheckResult> {
  const latest = new Map(
    checksOf(runs)
      .filter((check) => check.phase === 'branch')
      .map((check) => [check.name, check]),
  );
  return [...latest.values()];
}

function describeCheck(check: CheckResult): string {
  const where = check.phase === 'base' ? 'base commit' : 'branch';
  return `${check.name} (${check.command}) ${verdictOf(check)} on the ${where} ${check.commit.slice(0, 8)}`;
}

function verdictOf({ passed, known, timedOut }: CheckResult): string {
  if (passed) return 'passes';
  const how = timedOut === true ? 'takes too long' : 'fails';
  return known === true ? `${how}, as without the work,` : how;
}

function describeCost(runs: ReadonlyArray<AgentRun>): string {
  const used = runs.flatMap((run) => (run.tokenUsage === null ? [] : [run.tokenUsage]));
  const tokens = used.reduce((sum, usage) => sum + usage.inputTokens + usage.outputTokens, 0);
  const costs = used.map((usage) => usage.totalCost);
  const known = costs.every((cost) => cost !== null);
  const total = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  if (!known && tokens === 0) return 'unknown (the agent told nothing of its usage)';
  return `${known ? `$${total.toFixed(4)}` : 'unknown (no price for this model)'} for ${tokens.toLocaleString('en')} tokens`;
}
