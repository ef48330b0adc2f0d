import { newId } from '@attractor/base/id';
import { putJob } from '../records/jobs.ts';
import { savePipeline } from '../records/pipelines.ts';
import { insertProject } from '../records/projects.ts';
import type { Store, Tx } from '../database/store.ts';
import { insertRun } from '../records/runs.ts';
import { insertTask } from '../records/tasks.ts';
import { transactionTime } from '../database/transaction-time.ts';
import type { AgentRun, NewEvent, PipelineDefinition, Project, Task } from '../types/index.ts';

export function projectRow(path = `/${newId('prj')}`): Project {
  return {
    id: newId('prj'),
    key: '',
    name: 'p',
    path,
    description: '',
    defaultBranch: 'main',
    trustedConfigHash: null,
    config: {},
    createdAt: 'now',
  };
}

export function noteEvent(projectId: string, summary: string): NewEvent {
  return { projectId, type: 'note.added', summary, actor: { type: 'system' } };
}

export function taskRow(project: Project, given: Partial<Task> = {}): Task {
  return {
    id: newId('tsk'),
    key: '',
    projectId: project.id,
    title: 't',
    description: '',
    status: 'open',
    pipelineId: 'simple',
    pipelineVersion: 1,
    priority: 'medium',
    size: 'm',
    complexity: 'medium',
    tags: [],
    plan: null,
    parentTaskId: null,
    sortOrder: 1,
    acceptanceCriteria: [],
    pendingPayload: null,
    sourceUrl: null,
    version: 1,
    createdAt: 'now',
    updatedAt: 'now',
    ...given,
  };
}

/** The smallest pipeline for a task. */
export const SAMPLE_PIPELINE: PipelineDefinition = {
  id: 'simple',
  version: 1,
  name: 'Simple',
  description: '',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 1 },
  ],
  transitions: [],
};

/** A project with a pipeline, and nothing else. */
export async function putProject(store: Store, pipeline: PipelineDefinition = SAMPLE_PIPELINE): Promise<Project> {
  const project = projectRow();
  return store.transact(async (tx) => {
    await savePipeline(tx, pipeline);
    return insertProject(tx, project);
  });
}

export async function putTask(store: Store, project: Project, given: Partial<Task> = {}): Promise<Task> {
  return store.transact((tx) => insertTask(tx, taskRow(project, given), {}));
}

/** A run that is not stored. */
export function runRow({ id, projectId }: Task): AgentRun {
  return {
    id: newId('run'),
    key: '',
    taskId: id,
    projectId,
    agentType: 'scripted',
    mode: 'implement',
    status: 'running',
    model: 'm',
    outcome: null,
    payload: null,
    tokenUsage: null,
    checks: [],
    branch: null,
    worktree: null,
    durationMs: null,
    error: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: null,
  };
}

/** A run that waits in the queue. */
export async function putRun(tx: Tx, task: Task): Promise<AgentRun> {
  const run: AgentRun = { ...runRow(task), model: '', startedAt: transactionTime(tx) };
  const kept = await insertRun(tx, run, { hookParams: {}, overrides: {} });
  await putJob(tx, run.id);
  return kept;
}
