import {
  findPipeline,
  findProject,
  findPrompt,
  findRun,
  findTask,
  lastSeq,
  listArtifacts,
  listEvents,
  listProjects,
  listPrompts,
  listRuns,
  listTasks,
  type LiveDelta,
  refuseOnDatabaseError,
  type Store,
} from '@attractor/store';
import { createModelCommands } from './model.ts';
import { answerPrompt } from './prompts/prompts.ts';
import { createProject, trustConfig } from './projects/projects.ts';
import { startAgent, stopAgent } from './runs/runs.ts';
import { createTask, transitionTask, validTransitions } from './tasks/tasks.ts';
import type { Workflow } from './contract.ts';
import type { ModelCommands } from './model-contract.ts';

/** Live text on its way to whoever watches; nothing of it is kept. */
export type DeltaFan = {
  readonly send: (delta: LiveDelta) => void;
  readonly listen: (listener: (delta: LiveDelta) => void) => () => void;
};

export function createDeltaFan(): DeltaFan {
  const listeners = new Set<(delta: LiveDelta) => void>();
  return {
    send: (delta) => {
      for (const listener of listeners) listener(delta);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function createWorkflow(options: {
  readonly store: Store;
  readonly deltas: DeltaFan;
  readonly defaultAgentType: string;
  readonly home: string;
}): Workflow & ModelCommands {
  const { store, deltas, defaultAgentType, home } = options;
  const { read } = store;
  return {
    ...createModelCommands(options),
    createProject: (input, actor) => refuseOnDatabaseError(() => createProject(store, input, actor)),
    listProjects: () => listProjects(read),
    getProject: (id) => findProject(read, id),
    trustConfig: (projectId, hash, actor) =>
      refuseOnDatabaseError(() => trustConfig(store, { projectId, hash, home }, actor)),
    createTask: (input, actor) => refuseOnDatabaseError(() => createTask(store, input, actor)),
    listTasks: (filter = {}) => listTasks(read, filter),
    getTask: (id) => findTask(read, id),
    getPipeline: (id, version) => findPipeline(read, id, version),
    validTransitions: (taskId) => validTransitions(read, taskId),
    transition: (input, actor) =>
      refuseOnDatabaseError(() => transitionTask(store, input, { actor, defaultAgentType })),
    startAgent: (input, actor) => refuseOnDatabaseError(() => startAgent(store, input, { actor, defaultAgentType })),
    stopAgent: (runId, actor) => refuseOnDatabaseError(() => stopAgent(store, runId, actor)),
    getRun: (id) => findRun(read, id),
    listRuns: (filter) => listRuns(read, filter),
    listArtifacts: (taskId) => listArtifacts(read, taskId),
    listPrompts: (filter = {}) => listPrompts(read, filter),
    getPrompt: (id) => findPrompt(read, id),
    answerPrompt: (input, actor) =>
      refuseOnDatabaseError(() => answerPrompt(store, input, { actor, defaultAgentType })),
    events: (filter) => listEvents(read, filter),
    lastSeq: () => lastSeq(read),
    subscribe: (listener) => followSeq(store, listener),
    onDelta: deltas.listen,
  };
}

/** A change that appended nothing (a lease, a claim) is not told. */
function followSeq(store: Store, listener: (seq: number) => void): () => void {
  let told = -1;
  const look = async (): Promise<void> => {
    const seq = await lastSeq(store.read);
    if (seq === told) return;
    told = seq;
    listener(seq);
  };
  // The hint is missed when the store is being closed; readers then have all that there will be.
  return store.onChange(() => void look().catch(() => undefined));
}
