import { newId } from '@attractor/base/id';
import { SIMPLE } from '../pipeline/builtin/simple.ts';
import { startRun } from '../run/start-run.ts';
import { savePipeline } from '../store/pipelines.ts';
import { insertProject } from '../store/projects.ts';
import type { Store, Tx } from '../store/store.ts';
import { insertTask } from '../store/tasks.ts';
import type { AgentRun, NewEvent, Project, Task } from '../types/index.ts';
import { PERSON } from './world.ts';

export function projectRow(path = `/${newId('prj')}`): Project {
  return {
    id: newId('prj'),
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

/** A project with the simple pipeline, and nothing else. */
export async function putProject(store: Store): Promise<Project> {
  const project = projectRow();
  await store.transact(async (tx) => {
    await savePipeline(tx, SIMPLE);
    await insertProject(tx, project);
  });
  return project;
}

export async function putTask(store: Store, project: Project, given: Partial<Task> = {}): Promise<Task> {
  const task = taskRow(project, given);
  await store.transact((tx) => insertTask(tx, task, {}));
  return task;
}

/** A run that is stored nowhere. */
export function runRow({ id, projectId }: Task): AgentRun {
  return {
    id: newId('run'),
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

export function putRun(tx: Tx, task: Task): Promise<AgentRun> {
  return startRun(tx, {
    task,
    mode: 'implement',
    hookParams: {},
    overrides: {},
    defaultAgentType: 'scripted',
    actor: PERSON,
  });
}
