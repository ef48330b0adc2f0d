import type { BundleOptions } from '@attractor/bundle';
import type { Actor, AgentRun, AgentRunMode, Result, RunOverrides } from '@attractor/store';

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
  readonly listRuns: (filter: {
    readonly taskId?: string;
    readonly projectId?: string;
    readonly projectIds?: ReadonlyArray<string>;
    readonly status?: string;
    /** Leaves out runs that wait for a person. */
    readonly unlessWaiting?: true;
  }) => Promise<ReadonlyArray<AgentRun>>;
};
