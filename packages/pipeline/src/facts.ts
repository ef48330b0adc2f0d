import { isRecord } from '@attractor/base';
import {
  type AgentRun,
  findPipeline,
  listArtifacts,
  listCriteria,
  listDependencies,
  listMoves,
  listPhases,
  listPrompts,
  listRuns,
  listSteps,
  listTasks,
  type PipelineDefinition,
  type Prompt,
  type Reader,
  type Task,
} from '@attractor/store';
import type { GuardFacts } from './guards.ts';
import { isSettled, readSubtasks } from './subtask-standing.ts';

/** What comes with the requested move, and which guards will be asked. */
type Asked = { readonly pipeline?: PipelineDefinition; readonly payload?: unknown };

/** Read one after another, because they share one connection. */
export async function readFacts(db: Reader, task: Task, { pipeline, payload = null }: Asked = {}): Promise<GuardFacts> {
  const runs = await listRuns(db, { taskId: task.id });
  const prompts = (await listPrompts(db, { taskId: task.id })).filter(({ status }) => status === 'answered');
  const visits: Record<string, number> = {};
  for (const { to } of await listMoves(db, task.id)) visits[to] = (visits[to] ?? 0) + 1;
  return {
    task,
    payload,
    visits,
    runningRuns: runs.filter(({ status }) => status === 'running').length,
    artifacts: await listArtifacts(db, task.id),
    phases: await listPhases(db, task.id),
    waitingFor: await unresolvedDependencies(db, task.id),
    review: lastReview(runs, prompts),
    split: lastSplit(prompts),
    unsettled: isAsked(pipeline, 'subtasks_settled') ? await unsettledSubtasks(db, task.id) : [],
    criteria: isAsked(pipeline, 'criteria_met') ? await listCriteria(db, task) : [],
    checks: runs.findLast(({ checks }) => checks.length > 0)?.checks ?? [],
    scan: isAsked(pipeline, 'scan_passed') ? await lastScan(db, runs) : null,
  };
}

function isAsked(pipeline: PipelineDefinition | undefined, guard: string): boolean {
  return pipeline?.transitions.some(({ guards = [] }) => guards.some(({ type }) => type === guard)) === true;
}

/** The search for secrets leaves no check behind where it finds nothing; the step of the run knows. */
async function lastScan(db: Reader, runs: ReadonlyArray<AgentRun>): Promise<GuardFacts['scan']> {
  const work = runs.findLast(({ mode }) => mode === 'implement');
  const saved = work === undefined ? [] : await listSteps(db, work.id);
  const result = saved.find(({ step }) => step === 'validate')?.result;
  const scan = isRecord(result) ? result['scan'] : null;
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
