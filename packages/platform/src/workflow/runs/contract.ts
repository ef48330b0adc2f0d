import type { BundleOptions } from '@attractor/bundle';
import type { Actor, AgentRun, AgentRunMode, Result, RunFilter, RunOverrides } from '@attractor/store';

export type RunCommands = {
  readonly startAgent: (
    input: {
      readonly taskId: string;
      readonly mode: AgentRunMode;
      readonly overrides?: RunOverrides;
      /**
       * Moves the task along the pipeline's transition that starts an agent in this mode, if there is one. Absent: the task stays in its
       * status.
       */
      readonly along?: 'pipeline';
    },
    actor: Actor,
  ) => Promise<Result<AgentRun>>;
  readonly stopAgent: (runId: string, actor: Actor) => Promise<Result<AgentRun>>;
  /** The run as one file, whatever its status, without secrets: the bytes of a bundle, made while they are read. */
  readonly exportRun: (runId: string, options?: BundleOptions) => Promise<Result<AsyncIterable<Uint8Array>>>;
  readonly getRun: (id: string) => Promise<AgentRun | null>;
  /** In the order in which they began; with a limit the newest of them. */
  readonly listRuns: (filter: RunFilter & { readonly limit?: number }) => Promise<ReadonlyArray<AgentRun>>;
  readonly countRuns: (filter: RunFilter) => Promise<number>;
};
