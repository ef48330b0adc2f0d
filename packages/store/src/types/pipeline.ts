export type StatusCategory = 'backlog' | 'active' | 'review' | 'waiting' | 'done' | 'blocked';

export type PipelineStatus = {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly color: string;
  readonly category: StatusCategory;
  readonly position: number;
};

export type Trigger =
  | { readonly type: 'manual' }
  | { readonly type: 'agent_outcome'; readonly outcome: string }
  | { readonly type: 'agent_error' }
  /** The subtasks that the task was split into are merged or closed. */
  | { readonly type: 'subtasks_settled' }
  | { readonly type: 'any' };

export type Named = { readonly type: string; readonly params?: Readonly<Record<string, unknown>> };

export type PipelineTransition = {
  readonly id: string;
  /** `*` stands for every status. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly trigger: Trigger;
  readonly guards?: ReadonlyArray<Named>;
  readonly hooks?: ReadonlyArray<Named>;
};

/** An outcome that only this pipeline has. Without a schema any payload will do. */
export type CustomOutcome = { readonly description: string; readonly schema?: Readonly<Record<string, unknown>> };

/** A state machine as data. Versioned: a task keeps the version it started with. */
export type PipelineDefinition = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly description?: string;
  readonly isDefault: boolean;
  readonly statuses: ReadonlyArray<PipelineStatus>;
  readonly transitions: ReadonlyArray<PipelineTransition>;
  readonly initialStatus: string;
  readonly terminalStatuses: ReadonlyArray<string>;
  /** What its agents may report besides the outcomes that every pipeline knows. */
  readonly outcomes?: Readonly<Record<string, CustomOutcome>>;
};

/** What a person may do next, and why not. */
export type TransitionOption = {
  readonly transition: PipelineTransition;
  readonly allowed: boolean;
  readonly blockedBy: ReadonlyArray<{ readonly guard: string; readonly reason: string }>;
};
