import type {
  Actor,
  AgentRun,
  AgentRunMode,
  Artifact,
  EventFilter,
  LiveDelta,
  NewTask,
  PipelineDefinition,
  PlatformEvent,
  Project,
  Prompt,
  PromptAnswer,
  Result,
  RunOverrides,
  Task,
  TaskFilter,
  TransitionOption,
} from '@attractor/store';

export type NewProject = {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly defaultBranch?: string;
};

/**
 * The one way to change anything. Each command is one transaction that appends its events; it answers once they are on disk.
 * Reads give what the log says now; `subscribe` is a hint that there is more to read, `onDelta` carries live text only.
 */
export type Workflow = {
  readonly createProject: (input: NewProject, actor: Actor) => Promise<Result<Project>>;
  readonly listProjects: () => Promise<ReadonlyArray<Project>>;
  readonly getProject: (id: string) => Promise<Project | null>;
  /** Lets the commands of the repository's configuration run, as long as their hash stays this one. */
  readonly trustConfig: (projectId: string, hash: string, actor: Actor) => Promise<Result<Project>>;
  readonly createTask: (input: NewTask, actor: Actor) => Promise<Result<Task>>;
  /** Newest first. */
  readonly listTasks: (filter?: TaskFilter) => Promise<ReadonlyArray<Task>>;
  readonly getTask: (id: string) => Promise<Task | null>;
  readonly getPipeline: (id: string, version?: number) => Promise<PipelineDefinition | null>;
  readonly validTransitions: (taskId: string) => Promise<ReadonlyArray<TransitionOption>>;
  readonly transition: (
    input: { readonly taskId: string; readonly to: string; readonly reason?: string },
    actor: Actor,
  ) => Promise<Result<Task>>;
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
  readonly listArtifacts: (taskId: string) => Promise<ReadonlyArray<Artifact>>;
  readonly listPrompts: (filter?: {
    readonly taskId?: string;
    readonly status?: Prompt['status'];
  }) => Promise<ReadonlyArray<Prompt>>;
  readonly getPrompt: (id: string) => Promise<Prompt | null>;
  readonly answerPrompt: (
    input: { readonly promptId: string; readonly contentHash?: string; readonly answer: PromptAnswer },
    actor: Actor,
  ) => Promise<Result<Prompt>>;
  readonly events: (filter: EventFilter) => Promise<ReadonlyArray<PlatformEvent>>;
  readonly lastSeq: () => Promise<number>;
  /** Called after events were committed; returns how to stop. */
  readonly subscribe: (listener: (lastSeq: number) => void) => () => void;
  readonly onDelta: (listener: (delta: LiveDelta) => void) => () => void;
};
