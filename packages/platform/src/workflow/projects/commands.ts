import { findProject, listProjects, refuseOnDatabaseError, type Store } from '@attractor/store';
import { createProject, trustConfig } from './projects.ts';
import { examineConfig } from './examine-config.ts';
import { editProject } from './edit-projects.ts';
import { moveProject } from './move-project.ts';
import { deleteProject } from '../tasks/remove.ts';
import type { ProjectCommands } from './contract.ts';

export function createProjectCommands({
  store,
  home,
}: {
  readonly store: Store;
  readonly home: string;
}): ProjectCommands {
  const { read } = store;
  const on = { store, home };
  const guarded = refuseOnDatabaseError;
  return {
    createProject: (input, actor) => guarded(() => createProject(store, input, actor)),
    listProjects: () => listProjects(read),
    getProject: (id) => findProject(read, id),
    updateProject: (id, edit, actor) => guarded(() => editProject(store, id, { ...edit, actor })),
    moveProject: (id, path, actor) => guarded(() => moveProject(store, { id, path }, actor)),
    deleteProject: (id, actor) => guarded(() => deleteProject(on, id, actor)),
    examineConfig: (projectId) => guarded(() => examineConfig(store, { projectId, home })),
    trustConfig: (projectId, hash, actor) => guarded(() => trustConfig(store, { projectId, hash, home }, actor)),
  };
}
