import {
  countByStatus,
  countTasks,
  findOpenSplit,
  findTask,
  listDependencies,
  listDependents,
  listProjectDependencies,
  listHistory,
  listNotes,
  listPhases,
  listTasks,
  pageTasks,
  refuseOnDatabaseError,
  type Store,
} from '@attractor/store';
import { createTask, transitionTask, validTransitions } from './tasks.ts';
import { addDependency, removeDependency } from './dependencies.ts';
import { bulkUpdate, editTask } from './edit-tasks.ts';
import { addNote } from './notes.ts';
import { bulkDelete, deleteTask } from './remove.ts';
import { closeTask } from './close.ts';
import { reopenTask } from './reopen.ts';
import { reorderTask } from './reorder-tasks.ts';
import { splitTask } from './split.ts';
import { startCoding } from './start-coding.ts';
import { deleteTemplate, listTemplates, saveTemplate } from './templates.ts';
import type { TaskCommands } from './contract.ts';

export function createTaskCommands({
  store,
  home,
  defaultAgentType,
}: {
  readonly store: Store;
  readonly home: string;
  readonly defaultAgentType: string;
}): TaskCommands {
  const { read } = store;
  const on = { store, home };
  const guarded = refuseOnDatabaseError;
  return {
    createTask: (input, actor) => guarded(() => createTask(store, input, { actor, defaultAgentType })),
    startCoding: (input, actor) => guarded(() => startCoding(store, input, { actor, defaultAgentType })),
    updateTask: (input, actor) => guarded(() => editTask(store, input, actor)),
    deleteTask: (input, actor) => guarded(() => deleteTask(on, input, actor)),
    bulkUpdate: (input, actor) => guarded(() => bulkUpdate(store, input, { actor, defaultAgentType })),
    bulkDelete: (taskIds, actor) => guarded(() => bulkDelete(on, taskIds, actor)),
    closeTask: (input, actor) => guarded(() => closeTask(store, input, { actor, defaultAgentType })),
    reopenTask: (input, actor) => guarded(() => reopenTask(store, input, actor)),
    splitTask: (input, actor) => guarded(() => splitTask(store, input, { actor, defaultAgentType })),
    openSplit: (taskId) => findOpenSplit(read, taskId),
    reorderTask: (input, actor) => guarded(() => reorderTask(store, input, actor)),
    listTasks: (filter = {}) => listTasks(read, filter),
    countTasks: (filter) => countTasks(read, filter),
    countByStatus: (projectId) => countByStatus(read, projectId),
    pageTasks: (filter) => pageTasks(read, filter),
    getTask: (id) => findTask(read, id),
    validTransitions: (taskId) => validTransitions(read, taskId),
    transition: (input, actor) => guarded(() => transitionTask(store, input, { actor, defaultAgentType })),
    history: (taskId) => listHistory(read, taskId),
    listPhases: (taskId) => listPhases(read, taskId),
    addDependency: (input, actor) => guarded(() => addDependency(store, input, actor)),
    removeDependency: (input, actor) => guarded(() => removeDependency(store, input, actor)),
    dependencies: async (taskId) => ({
      dependsOn: await listDependencies(read, taskId),
      blocks: await listDependents(read, taskId),
    }),
    projectDependencies: (projectId) => listProjectDependencies(read, projectId),
    addNote: (input, actor) => guarded(() => addNote(store, input, actor)),
    listNotes: (taskId) => listNotes(read, taskId),
    listTemplates: () => listTemplates(read),
    saveTemplate: (input, actor) => guarded(() => saveTemplate(store, input, actor)),
    deleteTemplate: (id, actor) => guarded(() => deleteTemplate(store, id, actor)),
  };
}
