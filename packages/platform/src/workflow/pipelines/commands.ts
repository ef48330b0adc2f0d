import { findPipeline, listPipelines, refuseOnDatabaseError, type Store } from '@attractor/store';
import { deletePipeline, savePipeline, setDefaultPipeline } from './pipelines.ts';
import type { PipelineCommands } from './contract.ts';

export function createPipelineCommands({ store }: { readonly store: Store }): PipelineCommands {
  const { read } = store;
  const guarded = refuseOnDatabaseError;
  return {
    listPipelines: () => listPipelines(read),
    getPipeline: (id, version) => findPipeline(read, id, version),
    savePipeline: (definition, actor) => guarded(() => savePipeline(store, definition, actor)),
    deletePipeline: (id, actor) => guarded(() => deletePipeline(store, id, actor)),
    setDefaultPipeline: (id, actor) => guarded(() => setDefaultPipeline(store, id, actor)),
  };
}
