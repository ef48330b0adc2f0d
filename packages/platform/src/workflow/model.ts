import {
  findArtifact,
  listActivity,
  listAttachments,
  listDependencies,
  listDependents,
  listHistory,
  listNotes,
  listPhases,
  listPipelines,
  pageTasks,
  refuseOnDatabaseError,
  type Store,
} from '@attractor/store';
import type { ModelCommands } from './model-contract.ts';
import { addArtifact, removeArtifact, updateArtifact } from './artifacts/artifacts.ts';
import { addAttachment, removeAttachment } from './attachments/attachments.ts';
import { addDependency, removeDependency } from './tasks/dependencies.ts';
import { editProject } from './projects/edit-projects.ts';
import { bulkUpdate, editTask } from './tasks/edit-tasks.ts';
import { addNote } from './tasks/notes.ts';
import { deletePipeline, savePipeline, setDefaultPipeline } from './pipelines/pipelines.ts';
import { bulkDelete, deleteProject, deleteTask } from './tasks/remove.ts';
import { reorderTask } from './tasks/reorder-tasks.ts';
import { deleteTemplate, listTemplates, saveTemplate } from './tasks/templates.ts';
import { readAttachment } from '../attachments/attachment-files.ts';

/** How long a delete waits for the agents that it stopped. */
const STOP_PATIENCE_MS = 30_000;

export function createModelCommands(options: {
  readonly store: Store;
  readonly home: string;
  readonly defaultAgentType: string;
}): ModelCommands {
  const { store, home, defaultAgentType } = options;
  const { read } = store;
  const on = { store, home, patienceMs: STOP_PATIENCE_MS };
  const guarded = refuseOnDatabaseError;
  return {
    updateProject: (id, edit, actor) => guarded(() => editProject(store, id, { ...edit, actor })),
    deleteProject: (id, actor) => guarded(() => deleteProject(on, id, actor)),
    updateTask: (input, actor) => guarded(() => editTask(store, input, actor)),
    deleteTask: (input, actor) => guarded(() => deleteTask(on, input, actor)),
    bulkUpdate: (input, actor) => guarded(() => bulkUpdate(store, input, { actor, defaultAgentType })),
    bulkDelete: (taskIds, actor) => guarded(() => bulkDelete(on, taskIds, actor)),
    reorderTask: (input, actor) => guarded(() => reorderTask(store, input, actor)),
    pageTasks: (filter) => pageTasks(read, filter),
    history: (taskId) => listHistory(read, taskId),
    listPhases: (taskId) => listPhases(read, taskId),
    addDependency: (input, actor) => guarded(() => addDependency(store, input, actor)),
    removeDependency: (input, actor) => guarded(() => removeDependency(store, input, actor)),
    dependencies: async (taskId) => ({
      dependsOn: await listDependencies(read, taskId),
      blocks: await listDependents(read, taskId),
    }),
    addNote: (input, actor) => guarded(() => addNote(store, input, actor)),
    listNotes: (taskId) => listNotes(read, taskId),
    addAttachment: (input, actor) => guarded(() => addAttachment(on, input, actor)),
    listAttachments: (taskId) => listAttachments(read, taskId),
    readAttachment: (id) => readAttachment(on, id),
    removeAttachment: (id, actor) => guarded(() => removeAttachment(on, id, actor)),
    addArtifact: (input, actor) => guarded(() => addArtifact(store, input, actor)),
    updateArtifact: (id, edit, actor) => guarded(() => updateArtifact(store, id, { ...edit, actor })),
    removeArtifact: (id, actor) => guarded(() => removeArtifact(store, id, actor)),
    getArtifact: (id) => findArtifact(read, id),
    listTemplates: () => listTemplates(read),
    saveTemplate: (input, actor) => guarded(() => saveTemplate(store, input, actor)),
    deleteTemplate: (id, actor) => guarded(() => deleteTemplate(store, id, actor)),
    listPipelines: () => listPipelines(read),
    savePipeline: (definition, actor) => guarded(() => savePipeline(store, definition, actor)),
    deletePipeline: (id, actor) => guarded(() => deletePipeline(store, id, actor)),
    setDefaultPipeline: (id, actor) => guarded(() => setDefaultPipeline(store, id, actor)),
    activity: (filter) => listActivity(read, filter),
  };
}
