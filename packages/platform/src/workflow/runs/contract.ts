import type { Actor, AgentRun, AgentRunMode, Result, RunOverrides } from '@attractor/store';

export type RunCommands = {
  readonly startAgent: (
    input: {
      readonly taskId: string;
      readonly mode: AgentRunMode;
      readonly overrides?: RunOverrides;
      /** Where the pipeline has a way that starts an agent in this mode, the task goes that way. Absent: the task stays in its status. */
      readonly along?: 'pipeline';
    },
    actor: Actor,
  ) => Promise<Result<AgentRun>>;
  readonly stopAgent: (runId: string, actor: Actor) => Promise<Result<AgentRun>>;
  readonly getRun: (id: string) => Promise<AgentRun | null>;
  readonly listRuns: (filter: {
    readonly taskId?: string;
    readonly projectId?: string;
    readonly status?: string;
  }) => Promise<ReadonlyArray<AgentRun>>;
};
