import { isRecord } from '@attractor/base';
import {
  type AgentRun,
  findPipeline,
  listArtifacts,
  listCriteria,
  listDependencies,
  listEvents,
  listMoves,
  listPhases,
  listPrompts,
  listRuns,
  listSteps,
  listTasks,
  type Prompt,
  type Reader,
  type Task,
} from '@attractor/store';
import { type BranchHead, criterionOn, readBranchHead } from './branch-head.ts';
import type { GuardFacts } from './guards.ts';
import { isSettled, readSubtasks } from './subtask-standing.ts';

/** What comes with the requested move, and which guards will be asked: only what they look at is read. */
type Asked = { readonly guards: ReadonlySet<string>; readonly payload?: unknown };

/** Read one after another, because they share one connection. */
export async function readFacts(db: Reader, task: Task, { guards, payload = null }: Asked): Promise<GuardFacts> {
  const asks = (fact: keyof typeof ASKED_BY): boolean => ASKED_BY[fact].some((guard) => guards.has(guard));
  const runs = asks('runs') ? await listRuns(db, { taskId: task.id }) : [];
  const prompts = asks('prompts') ? await listPrompts(db, { taskId: task.id, status: 'answered' }) : [];
  const head = asks('head') ? await readBranchHead(db, task) : null;
  return {
    task,
    payload,
    visits: asks('visits') ? await countVisits(db, task) : {},
    runningRuns: asks('runningRuns') ? (await listRuns(db, { taskId: task.id, status: 'running' })).length : 0,
    artifacts: asks('artifacts') ? await listArtifacts(db, task.id) : [],
    phases: asks('phases') ? await listPhases(db, task.id) : [],
    waitingFor: asks('waitingFor') ? await unresolvedDependencies(db, task.id) : [],
    review: lastReview(runs, prompts),
    split: lastSplit(prompts),
    unsettled: asks('unsettled') ? await unsettledSubtasks(db, task.id) : [],
    criteria: asks('criteria') ? await criteriaNow(db, task, head) : [],
    checks: asks('checks') ? await checksNow(db, runs, { task, head }) : [],
    scan: asks('scan') ? await lastScan(db, runs, head) : null,
  };
}

const OF_PHASES = ['current_phase_has_pr', 'current_phase_pr_merged'];
const OF_REVIEWS = ['review_approved', 'review_changes_requested'];
const OF_CHECKS = ['has_tests', 'scan_passed'];

/** Which guards look at what; all of them may look at the task and at what comes with the move. */
export const ASKED_BY = {
  runs: [...OF_REVIEWS, ...OF_CHECKS],
  prompts: [...OF_REVIEWS, 'split_approved', 'split_rejected'],
  head: [...OF_CHECKS, 'criteria_met'],
  visits: ['max_iterations', 'has_been_in'],
  runningRuns: ['no_running_agent'],
  artifacts: ['has_branch', 'has_pr', 'has_final_pr', ...OF_PHASES],
  phases: [...OF_PHASES, 'all_phases_completed'],
  waitingFor: ['dependencies_resolved'],
  unsettled: ['subtasks_settled'],
  criteria: ['criteria_met'],
  checks: OF_CHECKS,
  scan: ['scan_passed'],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>;

async function countVisits(db: Reader, task: Task): Promise<GuardFacts['visits']> {
  const visits: Record<string, number> = {};
  for (const { to } of await listMoves(db, task.id)) visits[to] = (visits[to] ?? 0) + 1;
  return visits;
}

/** People commit by hand too: what was seen on an earlier commit does not count. */
async function criteriaNow(db: Reader, task: Task, head: BranchHead | null): Promise<GuardFacts['criteria']> {
  const criteria = await listCriteria(db, task);
  return head === null ? criteria : criteria.map((one) => criterionOn(head.commit, one));
}

/** From the last run that had any, and from people who had them run again; where the branch is known, only those of its last commit. */
async function checksNow(
  db: Reader,
  runs: ReadonlyArray<AgentRun>,
  { task, head }: { readonly task: Task; readonly head: BranchHead | null },
): Promise<GuardFacts['checks']> {
  const last = runs.findLast(({ checks }) => checks.length > 0)?.checks ?? [];
  if (head === null) return last;
  const events = await listEvents(db, { taskId: task.id, type: ['run.check_finished'] });
  const byHand = events.flatMap((event) =>
    event.type === 'run.check_finished' && event.runId === null ? [event.data.check] : [],
  );
  return [...last, ...byHand].filter(({ commit }) => commit === head.commit);
}

/** The search for secrets leaves no check behind where it finds nothing; the step of the run knows. */
async function lastScan(
  db: Reader,
  runs: ReadonlyArray<AgentRun>,
  head: BranchHead | null,
): Promise<GuardFacts['scan']> {
  const work = runs.findLast(({ mode }) => mode === 'implement');
  const saved = work === undefined ? [] : await listSteps(db, work.id);
  const result = saved.find(({ step }) => step === 'validate')?.result;
  if (!isRecord(result)) return null;
  const { scan, head: searched = head?.commit } = result;
  if (head !== null && searched !== head.commit) return null;
  return scan === 'passed' || scan === 'failed' ? scan : null;
}

/** A dependency is resolved when its task has ended, in whatever way. */
export async function unresolvedDependencies(db: Reader, taskId: string): Promise<ReadonlyArray<Task>> {
  const open: Task[] = [];
  for (const first of await listDependencies(db, taskId)) {
    const pipeline = await findPipeline(db, first.pipelineId, first.pipelineVersion);
    if (pipeline?.terminalStatuses.includes(first.status) !== true) open.push(first);
  }
  return open;
}

const REVIEWS: Readonly<Record<string, GuardFacts['review']>> = {
  approved: 'approved',
  changes_requested: 'changes_requested',
  approve: 'approved',
  changes: 'changes_requested',
  reject: 'changes_requested',
};

/** The latest review of the change, by an agent or a person. */
function lastReview(runs: ReadonlyArray<AgentRun>, prompts: ReadonlyArray<Prompt>): GuardFacts['review'] {
  const words = [
    ...runs
      .filter(({ mode, outcome }) => mode === 'review' && outcome !== null)
      .map(({ outcome, finishedAt }) => ({ word: outcome ?? '', at: finishedAt ?? '' })),
    ...prompts
      .filter((prompt) => prompt.type === 'review' && prompt.payload.proposedPhases === undefined)
      .map(({ answer, answeredAt }) => ({ word: answer?.decision ?? '', at: answeredAt ?? '' })),
  ];
  const last = words.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1);
  return last === undefined ? null : (REVIEWS[last.word] ?? null);
}

/** Of every part that the task has, whoever made it. */
async function unsettledSubtasks(db: Reader, taskId: string): Promise<GuardFacts['unsettled']> {
  const parts = await listTasks(db, { parentTaskId: taskId, limit: 1000 });
  const subtasks = parts.map(({ id, key, title }) => ({ name: id, key, title, taskId: id }));
  return (await readSubtasks(db, { subtasks })).filter((one) => !isSettled(one));
}

function isSplit(prompt: Prompt): boolean {
  if (prompt.type === 'split_proposal') return true;
  return prompt.type === 'review' && prompt.payload.proposedPhases !== undefined;
}

function lastSplit(prompts: ReadonlyArray<Prompt>): GuardFacts['split'] {
  const last = prompts.findLast(isSplit);
  if (last === undefined) return null;
  return last.answer?.decision === 'approve' ? 'approved' : 'rejected';
}
