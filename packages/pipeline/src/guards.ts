import { isOpenRequest } from '@attractor/repository';
import { type Artifact, type CheckResult, type Criterion, isMet, type Task, type TaskPhase } from '@attractor/store';

/** What guards may look at, read in the transaction that carries the transition out. */
export type GuardFacts = {
  readonly task: Task;
  /** What comes with the move: an agent's report or a person's answer. */
  readonly payload: unknown;
  readonly runningRuns: number;
  readonly artifacts: ReadonlyArray<Artifact>;
  /** How often the task entered each status. */
  readonly visits: Readonly<Record<string, number>>;
  /** The tasks that this one depends on and that have not ended. */
  readonly waitingFor: ReadonlyArray<Pick<Task, 'key' | 'title'>>;
  readonly phases: ReadonlyArray<TaskPhase>;
  readonly review: 'approved' | 'changes_requested' | null;
  readonly split: 'approved' | 'rejected' | null;
  /** The subtasks that the task was split into and that are neither merged nor closed. */
  readonly unsettled: ReadonlyArray<Pick<Task, 'key' | 'title'>>;
  /** The acceptance criteria, and how each stands. */
  readonly criteria: ReadonlyArray<Pick<Criterion, 'number' | 'text' | 'state' | 'detail'>>;
  /** Of the branch as it is, as far as that is known. */
  readonly checks: ReadonlyArray<CheckResult>;
  /** Whether the last work was searched for secrets, and with which result. */
  readonly scan: 'passed' | 'failed' | null;
};

type Params = Readonly<Record<string, unknown>>;

/** Null lets the task pass; a text says why it may not and what would satisfy the guard. */
export type Guard = (facts: GuardFacts, params: Params) => string | null;

const DEFAULT_MAX_ITERATIONS = 5;

export const GUARDS: Readonly<Record<string, Guard>> = {
  no_running_agent: ({ runningRuns, task }) =>
    unless(
      runningRuns === 0,
      `An agent is working on this task: wait for it, or stop it ("attractor tasks get ${task.key}" shows its state).`,
    ),
  has_plan: ({ task }) =>
    unless(task.plan !== null && task.plan.trim() !== '', 'The task has no plan yet: run the planning step first.'),
  has_branch: ({ artifacts }) =>
    unless(
      artifacts.some((artifact) => artifact.type === 'branch'),
      'The task has no branch yet: let an agent implement it first.',
    ),
  has_pr: ({ artifacts }) =>
    unless(artifacts.some(isOpenRequest), 'The task has no open pull request: create one, or add it as an artifact.'),
  has_final_pr: ({ artifacts }) =>
    unless(
      artifacts.some((artifact) => isOpenRequest(artifact) && artifact.phaseId === null),
      'The task has no open pull request for the whole of it: create it first.',
    ),
  dependencies_resolved: ({ waitingFor }) =>
    waitingFor.length === 0
      ? null
      : `It depends on ${waitingFor.map(({ key, title }) => `"${title}" (${key})`).join(', ')}: finish or cancel that first, or remove the dependency.`,
  max_iterations: ({ visits }, params) => {
    const status = typeof params['statusId'] === 'string' ? params['statusId'] : '';
    const max = Number(params['max'] ?? DEFAULT_MAX_ITERATIONS);
    const count = visits[status] ?? 0;
    return count < max
      ? null
      : `The task has already been in "${status}" ${count} times (at most ${max}): finish or cancel it by hand.`;
  },
  has_been_in: ({ visits }, params) => {
    const status = typeof params['statusId'] === 'string' ? params['statusId'] : '';
    return unless((visits[status] ?? 0) > 0, `The task has not reached "${status}" yet.`);
  },
  has_payload_response: ({ task, payload }, params) => {
    const wanted = params['payloadType'];
    const fits = wanted === undefined || wanted === task.pendingPayload?.outcome;
    const answered = (payload ?? task.pendingPayload?.response ?? null) !== null;
    return unless(fits && answered, `The task waits for an answer${textOf(wanted)}: answer its prompt.`);
  },
  current_phase_has_pr: (facts) =>
    unless(phasePr(facts) !== undefined, 'The current phase has no pull request yet: let an agent implement it first.'),
  current_phase_pr_merged: (facts) =>
    unless(
      phasePr(facts)?.metadata['state'] === 'merged',
      'The pull request of the current phase is not merged yet: merge it first.',
    ),
  all_phases_completed: ({ phases }) => {
    const open = phases.filter(({ status }) => status === 'pending' || status === 'in_progress');
    return open.length === 0 ? null : `Not all phases are done: ${open.map(({ name }) => name).join(', ')}.`;
  },
  review_approved: ({ review }) => unless(review === 'approved', 'The change is not approved yet: review it.'),
  review_changes_requested: ({ review }) =>
    unless(review === 'changes_requested', 'Nobody has asked for changes: review the change first.'),
  split_approved: ({ split }) => unless(split === 'approved', 'No split was approved: answer the proposal.'),
  split_rejected: ({ split }) => unless(split === 'rejected', 'No split was rejected: answer the proposal.'),
  subtasks_settled: ({ unsettled }) =>
    unsettled.length === 0
      ? null
      : `It waits for its subtasks ${unsettled.map(({ key, title }) => `"${title}" (${key})`).join(', ')}: merge or close them first.`,
  criteria_met: ({ criteria, task }) => {
    const open = criteria.filter((one) => !isMet(one));
    const named = open.map(({ number, text, state, detail }) => `${number} "${text}" is ${state}${because(detail)}`);
    return open.length === 0
      ? null
      : `Not every acceptance criterion is met: ${named.join(', ')}. See "attractor tasks criteria ${task.key}"; "attractor checks run ${task.key}" verifies again; with "accept" a person decides.`;
  },
  has_tests: ({ checks, task }) =>
    unless(
      passed(checks, 'test'),
      `The check "test" has not passed on this branch as it is: run the checks with "attractor checks run ${task.key}".`,
    ),
  scan_passed: ({ scan, checks }) =>
    unless(
      scan === 'passed' || passed(checks, 'no-secrets'),
      'The search for secrets has not passed on this branch as it is: let an agent work on it, with the check "no-secrets" turned on.',
    ),
};

function unless(holds: boolean, reason: string): string | null {
  return holds ? null : reason;
}

function phasePr({ phases, artifacts }: GuardFacts): Artifact | undefined {
  const current = phases.find(({ status }) => status === 'in_progress');
  return current === undefined
    ? undefined
    : artifacts.findLast(({ type, phaseId }) => type === 'pull_request' && phaseId === current.id);
}

/** The last time that it ran. */
function passed(checks: ReadonlyArray<CheckResult>, name: string): boolean {
  return checks.findLast((check) => check.name === name && check.phase === 'branch')?.passed === true;
}

function because(detail: string | null): string {
  return detail === null ? '' : ` (${detail})`;
}

function textOf(wanted: unknown): string {
  return typeof wanted === 'string' ? ` to "${wanted}"` : '';
}
