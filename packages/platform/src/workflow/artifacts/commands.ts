import { findArtifact, listArtifacts, refuseOnDatabaseError, type Store } from '@attractor/store';
import { addArtifact, removeArtifact, updateArtifact } from './artifacts.ts';
import type { ArtifactCommands } from './contract.ts';

export function createArtifactCommands({ store }: { readonly store: Store }): ArtifactCommands {
  const { read } = store;
  const guarded = refuseOnDatabaseError;
  return {
    listArtifacts: (taskId) => listArtifacts(read, taskId),
    getArtifact: (id) => findArtifact(read, id),
    addArtifact: (input, actor) => guarded(() => addArtifact(store, input, actor)),
    updateArtifact: (id, edit, actor) => guarded(() => updateArtifact(store, id, { ...edit, actor })),
    removeArtifact: (id, actor) => guarded(() => removeArtifact(store, id, actor)),
  };
}
