import type { AgentRun, Artifact, PlatformEvent, Prompt, Task } from '@attractor/platform';
import { carriedArtifact, carriedMessage, carriedPrompt, carriedRun, carriedTask } from './carried.ts';
import { addSpent, NOTHING_SPENT, spentByMessage, spentByRun, type Spent } from './cost.ts';
import { defineFold } from './fold.ts';
import { foldSteps, NO_STEPS, type StepState } from './steps.ts';

/** A line of the task's history: everything except what the page of a run shows. */
export type HistoryEntry = Pick<
  PlatformEvent,
  'seq' | 'at' | 'type' | 'category' | 'level' | 'summary' | 'actor' | 'runId'
>;

export type TaskRun = {
  readonly run: AgentRun;
  readonly steps: ReadonlyArray<StepState>;
  readonly spent: Spent;
};

/** One task with everything that belongs to it. Events of other tasks are ignored. Runs, prompts and artifacts are oldest first. */
export type TaskView = {
  readonly seq: number;
  readonly taskId: string;
  readonly task: Task | null;
  readonly runs: ReadonlyArray<TaskRun>;
  readonly prompts: ReadonlyArray<Prompt>;
  /** Who has answered which prompt. */
  readonly answeredBy: Readonly<Record<string, PlatformEvent['actor']>>;
  readonly artifacts: ReadonlyArray<Artifact>;
  readonly history: ReadonlyArray<HistoryEntry>;
};

export function emptyTaskView(taskId: string): TaskView {
  return { seq: 0, taskId, task: null, runs: [], prompts: [], answeredBy: {}, artifacts: [], history: [] };
}

export function spentOnTask(view: TaskView): Spent {
  return view.runs.reduce((sum, { spent }) => addSpent(sum, spent), NOTHING_SPENT);
}

export function pendingPrompts(view: TaskView): ReadonlyArray<Prompt> {
  return view.prompts.filter((prompt) => prompt.status === 'pending');
}

/** Shown in full on the page of the run. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'agent.message',
  'agent.tool_use',
  'run.step_started',
  'run.step_finished',
]);

type Draft = { -readonly [Name in keyof TaskView]: TaskView[Name] } & { history: HistoryEntry[] };

export const taskView = defineFold<TaskView, Draft>(
  (view) => ({ ...view, history: [...view.history] }),
  (draft, event) => {
    if (isEndOf(draft, event))
      Object.assign(draft, { task: null, runs: [], prompts: [], answeredBy: {}, artifacts: [] });
    if (event.taskId !== draft.taskId) return;
    const task = carriedTask(event);
    if (task?.id === draft.taskId) draft.task = task;
    draft.runs = foldRuns(draft.runs, event);
    const prompt = carriedPrompt(event);
    if (prompt !== null) draft.prompts = put(draft.prompts, prompt);
    if (event.type === 'prompt.answered')
      draft.answeredBy = { ...draft.answeredBy, [event.data.prompt.id]: event.actor };
    draft.artifacts = foldArtifacts(draft.artifacts, event);
    if (!LEFT_OUT.has(event.type) && event.level !== 'debug') draft.history.push(historyEntry(event));
  },
);

/** Deleted, alone or with its project. */
function isEndOf(draft: Draft, event: PlatformEvent): boolean {
  if (event.type === 'task.deleted') return event.taskId === draft.taskId;
  return event.type === 'project.deleted' && event.projectId === draft.task?.projectId;
}

function foldArtifacts(artifacts: ReadonlyArray<Artifact>, event: PlatformEvent): ReadonlyArray<Artifact> {
  if (event.type === 'artifact.removed') return artifacts.filter(({ id }) => id !== event.data.artifactId);
  const artifact = carriedArtifact(event);
  return artifact === null ? artifacts : put(artifacts, artifact);
}

function foldRuns(runs: ReadonlyArray<TaskRun>, event: PlatformEvent): ReadonlyArray<TaskRun> {
  const run = carriedRun(event);
  const known = run !== null && !runs.some((other) => other.run.id === run.id);
  const all = known ? [...runs, { run, steps: NO_STEPS, spent: NOTHING_SPENT }] : runs;
  const id = run?.id ?? event.runId;
  return id === null ? all : all.map((other) => (other.run.id === id ? foldRun(other, event) : other));
}

function foldRun(known: TaskRun, event: PlatformEvent): TaskRun {
  const run = carriedRun(event) ?? known.run;
  const message = carriedMessage(event);
  const summed = message?.kind === 'usage' ? addSpent(known.spent, spentByMessage(message)) : known.spent;
  const closed = run.status === 'running' ? null : spentByRun(run);
  return { run, steps: foldSteps(known.steps, event), spent: closed ?? summed };
}

function put<Item extends { readonly id: string }>(items: ReadonlyArray<Item>, item: Item): ReadonlyArray<Item> {
  const known = items.some((other) => other.id === item.id);
  return known ? items.map((other) => (other.id === item.id ? item : other)) : [...items, item];
}

function historyEntry({ seq, at, type, category, level, summary, actor, runId }: PlatformEvent): HistoryEntry {
  return { seq, at, type, category, level, summary, actor, runId };
}
