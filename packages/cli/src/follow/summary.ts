import { criterionLine, deviationLine } from '@attractor/api';
import type { AgentRun, Artifact, CheckResult, PlatformWorkflow, Prompt, Task } from '@attractor/platform';
import type { TaskState } from '@attractor/states';
import { EXIT, type ExitCode, readableText, type Style } from '@attractor/console';

/** What was done, as a person reads it at the end. `failureCode` is the agent's own code for its failure. */
export type Outcome = {
  readonly task: Task;
  readonly runs: ReadonlyArray<AgentRun>;
  readonly artifacts: ReadonlyArray<Artifact>;
  readonly prompts: ReadonlyArray<Prompt>;
  readonly failureCode: string | null;
  /** How the task stands, and what can be done next, as commands. */
  readonly state: Pick<TaskState, 'kind' | 'label' | 'steps'>;
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
  const state = states[0]?.state ?? { kind: 'open', label: task.status, steps: [] };
  return { task, runs, artifacts, prompts, failureCode, state };
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

/** `stopped`: by a person at this terminal, which is no failure. */
export function summaryLines(outcome: Outcome, style: Style, stopped = false): ReadonlyArray<string> {
  const { task, runs, artifacts, prompts } = outcome;
  const row = rowIn(style);
  const failure = stopped ? null : (lastOf(runs)?.error ?? null);
  return [
    '',
    `${style.bold(verdictIn(outcome, style, stopped))}  ${readableText(task.title)}`,
    ...labels(artifacts, 'branch').map((label) => row('branch', label)),
    ...labels(artifacts, 'commit').map((label) => row('commit', label)),
    ...labels(artifacts, 'diff')
      .slice(-1)
      .map((label) => row('diff', label)),
    ...checksOf(runs).map((check) => row('check', describeCheck(check))),
    ...planRows(prompts).map(([name, value]) => row(name, value)),
    row('cost', describeCost(runs)),
    ...prompts.filter(({ type }) => type !== 'review').map(({ title }) => row('waits', title)),
    ...(failure === null ? [] : [row('error', failure)]),
  ];
}

function verdictIn(outcome: Outcome, style: Style, stopped: boolean): string {
  const status = outcome.task.status.replaceAll('_', ' ');
  if (stopped) return `Stopped in ${status}`;
  if (succeeded(outcome)) return style.good('Ready for review');
  return isPlanned(outcome) ? style.good('Planned') : style.bad(`Ended in ${status}`);
}

function rowIn(style: Style): (name: string, value: string) => string {
  return (name, value) => `  ${style.dim(name.padEnd(8))} ${readableText(value)}`;
}

type Ending = {
  readonly style: Style;
  /** A person is at this terminal. */
  readonly attended: boolean;
  /** By a person at this terminal: whether every agent of it has ended. Null: nobody stopped it. */
  readonly stopped: boolean | null;
  readonly planOnly: boolean;
  /** The summary of this work was shown already. */
  readonly isTold: boolean;
  /** Whoever follows asks what comes next. */
  readonly isAsked: boolean;
};

/** The last words about a task that was followed: what was done, and how it goes on from here. */
export function endLines(outcome: Outcome, ending: Ending): ReadonlyArray<string> {
  const { style, stopped, planOnly, isTold, isAsked } = ending;
  if (stopped !== null) return [...summaryLines(outcome, style, true), ...stoppedLines(outcome, style, stopped)];
  if (planOnly && isPlanned(outcome)) return [...summaryLines(outcome, style), ...planLines(outcome, style)];
  const { task, state } = outcome;
  const head = isTold
    ? ['', `${style.bold(readableText(state.label))}  ${readableText(task.title)}`]
    : summaryLines(outcome, style);
  return isAsked && succeeded(outcome) ? head : [...head, ...nextLines(outcome, ending)];
}

/** What can be done next, as it is typed. */
export function nextLines(
  outcome: Outcome,
  { style, attended }: Pick<Ending, 'style' | 'attended'>,
): ReadonlyArray<string> {
  const { task, state } = outcome;
  const row = rowIn(style);
  const resume = (about: string) => row('next', `attractor run --resume ${task.key}  ${about}`);
  if (attended && state.kind === 'waiting')
    return [resume('Decide here'), row('next', 'attractor inbox  What waits, with the command for each answer')];
  const isIdle = state.kind === 'failed' || state.kind === 'stopped';
  const steps = state.steps.filter(({ id }) => !isIdle || !id.startsWith('start:'));
  return [
    ...(isIdle ? [resume('Continue in this terminal')] : []),
    ...steps.slice(0, MOST_STEPS).map(({ label, command }) => row('next', `${command}  ${label}`)),
    ...(steps.length === 0 || succeeded(outcome) ? [] : [row('then', THEN)]),
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
function stoppedLines({ task, artifacts }: Outcome, style: Style, isOver: boolean): ReadonlyArray<string> {
  const [branch] = labels(artifacts, 'branch');
  const kept = branch === undefined ? 'Nothing was changed yet.' : `Its work is kept on ${readableText(branch)}.`;
  const goesOn = isOver
    ? 'Stopped. No agent works on it any more, here or elsewhere.'
    : 'Its agent was told to stop and has not ended yet; `attractor status` says when it has.';
  return ['', `${goesOn} ${kept}`, `Continue it: ${style.accent(`attractor run --resume ${task.key}`)}`];
}

/** Where a plan was all that was wanted. */
function planLines({ task, prompts }: Outcome, style: Style): ReadonlyArray<string> {
  const plan = prompts.find(({ type }) => type === 'plan_approval');
  if (plan === undefined) return [];
  return [
    '',
    readableText(task.plan ?? ''),
    '',
    `The plan waits. Continue here: ${style.accent(`attractor run --resume ${task.key}`)}`,
    `or approve it from anywhere: ${style.accent(`attractor prompts answer ${plan.key} --approve`)}`,
  ];
}

const MOST_STEPS = 4;
const THEN = 'attractor worker --once  works on it in this terminal; attractor serve does it too';

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
  const name = check.name === check.command ? check.name : `${check.name} (${check.command})`;
  return `${name} ${verdictOf(check)} on the ${where} ${check.commit.slice(0, 8)}`;
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
  if (!known && tokens === 0) return 'unknown (the agent did not report its usage)';
  return `${known ? `$${total.toFixed(4)}` : 'unknown (no price for this model)'} for ${tokens.toLocaleString('en')} tokens`;
}
