import type { Actor, PipelineDefinition, Result } from '@attractor/store';

export type PipelineCommands = {
  /** The newest version of each. */
  readonly listPipelines: () => Promise<ReadonlyArray<PipelineDefinition>>;
  readonly getPipeline: (id: string, version?: number) => Promise<PipelineDefinition | null>;
  /** From any JSON; a valid definition becomes the next version. Tasks keep the version they started with. */
  readonly savePipeline: (definition: unknown, actor: Actor) => Promise<Result<PipelineDefinition>>;
  readonly deletePipeline: (id: string, actor: Actor) => Promise<Result<null>>;
  readonly setDefaultPipeline: (id: string, actor: Actor) => Promise<Result<PipelineDefinition>>;
};
