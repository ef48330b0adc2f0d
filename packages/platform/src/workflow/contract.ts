import type { Result as AnyResult } from '@attractor/base';
import type { AgentConfig } from '@attractor/adapters';
import type {
  Actor,
  AgentRun,
  AgentRunMode,
  Artifact,
  Complexity,
  EventCategory,
  LiveDelta,
  PipelineDefinition,
  PlatformEvent,
  Priority,
  Project,
  Prompt,
  PromptAnswer,
  Size,
  Task,
  TransitionOption,
} from './types/index.ts';

/** Why a command was not carried out; nothing was changed. `code` decides exit codes and HTTP statuses. */
export type Refusal = {
  readonly code: 'not_found' | 'invalid' | 'blocked' | 'conflict' | 'unavailable' | 'database';
  readonly message: string;
  readonly detail?: unknown;
};

export type Result<Value> = AnyResult<Value, Refusal>;

export type NewProject = {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly defaultBranch?: string;
};

/** What a person chose for a run: the last word in its configuration. `checks` are commands of that person's own and therefore trusted. */
export type RunOverrides = AgentConfig & {
  readonly agentType?: string;
  readonly checks?: ReadonlyArray<string>;
  /** What a worker must have to take the run; replaces the project's. */
  readonly labels?: ReadonlyArray<string>;
  /** Whose limit the run counts against. */
  readonly account?: string;
};

export type NewTask = {
  readonly projectId: string;
  /** May be absent only where the template has one. */
  readonly title: string;
  readonly description?: string;
  readonly pipelineId?: string;
  readonly priority?: Task['priority'];
  readonly size?: Task['size'];
  readonly complexity?: Task['complexity'];
  readonly tags?: ReadonlyArray<string>;
  readonly plan?: string;
  readonly acceptanceCriteria?: ReadonlyArray<string>;
  readonly parentTaskId?: string;
  readonly dependsOn?: ReadonlyArray<string>;
  readonly sourceUrl?: string;
  /** What is not said here is taken from it; id or name. */
  readonly template?: string;
  /** Such as `bug`: chooses the pipeline by the project's `pipelineByType`. */
  readonly taskType?: string;
  /** Holds for every run of the task. */
  readonly overrides?: RunOverrides;
};

export type EventFilter = {
  readonly after?: number;
  readonly taskId?: string;
  readonly runId?: string;
  readonly projectId?: string;
  readonly category?: EventCategory | ReadonlyArray<EventCategory>;
  readonly level?: PlatformEvent['level'] | ReadonlyArray<PlatformEvent['level']>;
  readonly actorType?: Actor['type'];
  /** Such as `status.changed`. */
  readonly type?: string | ReadonlyArray<string>;
  /** ISO times, both included. */
  readonly since?: string;
  readonly until?: string;
  /** Words in the summary. */
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Which end of the log `limit` and `offset` count from; the answer is in the order of `seq` either way. Default `oldest`. */
  readonly from?: 'oldest' | 'newest';
};

export type TaskFilter = {
  readonly projectId?: string;
  readonly status?: ReadonlyArray<string>;
  readonly priority?: ReadonlyArray<Priority>;
  readonly size?: ReadonlyArray<Size>;
  readonly complexity?: ReadonlyArray<Complexity>;
  /** Tasks that have any of them. */
  readonly tags?: ReadonlyArray<string>;
  /** Words in the title or the description. */
  readonly search?: string;
  /** Null: only tasks that have no parent. */
  readonly parentTaskId?: string | null;
  readonly pipelineId?: string;
  readonly limit?: number;
  /** Newest first: the last id of the page before. */
  readonly before?: string;
  /** In the order of the board: the last id of the page before. */
  readonly after?: string;
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
