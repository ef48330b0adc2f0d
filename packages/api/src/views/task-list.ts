import type { AgentRun, CheckResult, PlatformEvent, Project, Prompt, Task } from '@attractor/platform';
import {
  carriedArtifact,
  carriedCheck,
  carriedMessage,
  carriedProject,
  carriedPrompt,
  carriedRun,
  carriedTask,
} from './carried.ts';
import { addSpent, NOTHING_SPENT, spentByMessage, spentByRun, type Spent } from './cost.ts';
import { defineFold } from './fold.ts';
import { foldSteps, NO_STEPS, type StepState } from './steps.ts';

/** What a card shows of the latest run. */
export type RowRun = Pick<
  AgentRun,
  'id' | 'mode' | 'status' | 'agentType' | 'model' | 'outcome' | 'error' | 'startedAt' | 'finishedAt'
> & {
  readonly steps: ReadonlyArray<StepState>;
  readonly checks: ReadonlyArray<Pick<CheckResult, 'name' | 'phase' | 'passed' | 'severity'>>;
};

export type TaskRow = {
  readonly task: Task;
  readonly run: RowRun | null;
  /** Unanswered questions, oldest first. */
  readonly waiting: ReadonlyArray<Pick<Prompt, 'id' | 'type' | 'title' | 'createdAt'>>;
  readonly spentByRun: Readonly<Record<string, Spent>>;
  /** What the work changes, as far as a run has reported it. */
  readonly change: ChangedLines | null;
};

export type ChangedLines = { readonly files: number; readonly additions: number; readonly deletions: number };

/** Every task with what is happening to it now. */
export type TaskListView = {
  readonly seq: number;
  readonly rows: Readonly<Record<string, TaskRow>>;
  readonly projects: Readonly<Record<string, Project>>;
};

export const EMPTY_TASK_LIST: TaskListView = { seq: 0, rows: {}, projects: {} };

export function spentOnRow(row: TaskRow): Spent {
  return Object.values(row.spentByRun).reduce(addSpent, NOTHING_SPENT);
}

type Draft = {
  seq: number;
  rows: Record<string, TaskRow>;
  projects: Record<string, Project>;
};

export const taskListView = defineFold<TaskListView, Draft>(
  (view) => ({ seq: view.seq, rows: { ...view.rows }, projects: { ...view.projects } }),
  (draft, event) => {
    const project = carriedProject(event);
    if (project !== null) draft.projects[project.id] = project;
    if (event.type === 'project.deleted') forgetProject(draft, event.projectId);
    if (event.taskId === null) return;
    if (event.type === 'task.deleted') {
      delete draft.rows[event.taskId];
      return;
    }
    const row = foldRow(draft.rows[event.taskId] ?? null, event);
    if (row !== null) draft.rows[event.taskId] = row;
  },
);

function forgetProject(draft: Draft, projectId: string): void {
  delete draft.projects[projectId];
  for (const { task } of Object.values(draft.rows)) if (task.projectId === projectId) delete draft.rows[task.id];
}

function foldRow(known: TaskRow | null, event: PlatformEvent): TaskRow | null {
  const task = carriedTask(event) ?? known?.task;
  if (task === undefined || task.id !== event.taskId) return known;
  const row = known ?? { task, run: null, waiting: [], spentByRun: {}, change: null };
  return {
    task,
    run: foldRowRun(row.run, event),
    waiting: foldWaiting(row.waiting, event),
    spentByRun: foldSpent(row.spentByRun, event),
    change: foldChange(row.change, event),
  };
}

function foldRowRun(known: RowRun | null, event: PlatformEvent): RowRun | null {
  const run = carriedRun(event);
  if (run !== null && run.id !== known?.id && isOlder(run, known)) return known;
  const current = run === null ? known : rowRun(run, run.id === known?.id ? known : null);
  if (current === null || (run === null && event.runId !== current.id)) return current;
  const check = carriedCheck(event);
  const checks = check === null ? current.checks : withCheck(current.checks, check);
  return { ...current, steps: foldSteps(current.steps, event), checks };
}

function isOlder(run: AgentRun, known: RowRun | null): boolean {
  return (
    known !== null && (run.startedAt < known.startedAt || (run.startedAt === known.startedAt && run.id < known.id))
  );
}

function rowRun(run: AgentRun, known: RowRun | null): RowRun {
  const { id, mode, status, agentType, model, outcome, error, startedAt, finishedAt } = run;
  const checks = (run.checks ?? []).reduce(withCheck, known?.checks ?? []);
  return {
    id,
    mode,
    status,
    agentType,
    model,
    outcome,
    error,
    startedAt,
    finishedAt,
    steps: known?.steps ?? NO_STEPS,
    checks,
  };
}

function withCheck(checks: RowRun['checks'], { name, phase, passed, severity }: CheckResult): RowRun['checks'] {
  const others = checks.filter((other) => other.name !== name || other.phase !== phase);
  return [...others, { name, phase, passed, severity }];
}

function foldWaiting(known: TaskRow['waiting'], event: PlatformEvent): TaskRow['waiting'] {
  const prompt = carriedPrompt(event);
  if (prompt === null) return known;
  const others = known.filter((other) => other.id !== prompt.id);
  if (prompt.status !== 'pending') return others;
  const { id, type, title, createdAt } = prompt;
  return [...others, { id, type, title, createdAt }];
}

function foldSpent(known: TaskRow['spentByRun'], event: PlatformEvent): TaskRow['spentByRun'] {
  const run = carriedRun(event);
  const closed = run === null || run.status === 'running' ? null : spentByRun(run);
  if (run !== null && closed !== null) return { ...known, [run.id]: closed };
  const message = carriedMessage(event);
  if (message?.kind !== 'usage' || event.runId === null) return known;
  return { ...known, [event.runId]: addSpent(known[event.runId] ?? NOTHING_SPENT, spentByMessage(message)) };
}

function foldChange(known: ChangedLines | null, event: PlatformEvent): ChangedLines | null {
  const artifact = carriedArtifact(event);
  if (artifact?.type !== 'diff' || (artifact.phaseId ?? null) !== null) return known;
  const { filesChanged, additions, deletions } = artifact.metadata;
  if (typeof filesChanged !== 'number' || typeof additions !== 'number' || typeof deletions !== 'number') return known;
  return { files: filesChanged, additions, deletions };
}
