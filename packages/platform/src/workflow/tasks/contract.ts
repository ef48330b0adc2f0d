import type { TaskEditFields } from '@attractor/facts';
import type {
  Actor,
  HistoryEntry,
  NewSubtask,
  NewTask,
  Result,
  RunOverrides,
  Split,
  Task,
  TaskFilter,
  TaskNote,
  TaskPage,
  TaskPhase,
  TaskTemplate,
  TemplateFields,
  TransitionOption,
} from '@attractor/store';

/** What people may change in a task by hand. Its status changes only by a transition; `parentTaskId: null` removes it from its parent. */
export type TaskEdit = TaskEditFields & { readonly overrides?: RunOverrides };

/** Each task is handled separately: the answer says what was done, and why the rest was not. */
export type BulkResult = {
  readonly done: ReadonlyArray<string>;
  readonly refused: ReadonlyArray<{ readonly taskId: string; readonly message: string }>;
};

export type NewTemplate = {
  /** Present: this template is changed. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly fields: TemplateFields;
};

/** `version`, if given, must be the task's current one. */
export type TaskCommands = {
  readonly createTask: (input: NewTask, actor: Actor) => Promise<Result<Task>>;
  /** Makes a task and starts the first agent of its pipeline: both, or neither. `straight`: without a plan. */
  readonly startCoding: (input: NewTask & { readonly straight?: boolean }, actor: Actor) => Promise<Result<Task>>;
  readonly updateTask: (
    input: { readonly taskId: string; readonly version?: number; readonly edit: TaskEdit },
    actor: Actor,
  ) => Promise<Result<Task>>;
  readonly deleteTask: (
    input: { readonly taskId: string; readonly version?: number },
    actor: Actor,
  ) => Promise<Result<null>>;
  /** `to` moves each task as its pipeline allows. */
  readonly bulkUpdate: (
    input: { readonly taskIds: ReadonlyArray<string>; readonly edit?: TaskEdit; readonly to?: string },
    actor: Actor,
  ) => Promise<Result<BulkResult>>;
  readonly bulkDelete: (taskIds: ReadonlyArray<string>, actor: Actor) => Promise<Result<BulkResult>>;
  /**
   * The way back from a mistake: a closed task returns to the status it was closed from, or to another one that it has been in. What was
   * asked there is asked again.
   */
  /** Ends it without its work, also if that was accepted; its branch stays. */
  readonly closeTask: (
    input: { readonly taskId: string; readonly reason?: string },
    actor: Actor,
  ) => Promise<Result<Task>>;
  readonly reopenTask: (
    input: { readonly taskId: string; readonly to?: string; readonly reason?: string },
    actor: Actor,
  ) => Promise<Result<Task>>;
  /** Makes the subtasks and lets the task wait for them, all in one transaction. */
  readonly splitTask: (
    input: { readonly taskId: string; readonly subtasks: ReadonlyArray<NewSubtask> },
    actor: Actor,
  ) => Promise<Result<Split>>;
  /** The split whose subtasks the task waits for. */
  readonly openSplit: (taskId: string) => Promise<Split | null>;
  /** Puts the task just after another task of the project; null puts it at the top. */
  readonly reorderTask: (
    input: { readonly taskId: string; readonly after: string | null },
    actor: Actor,
  ) => Promise<Result<Task>>;
  /** Newest first. */
  readonly listTasks: (filter?: TaskFilter) => Promise<ReadonlyArray<Task>>;
  readonly countTasks: (filter: TaskFilter) => Promise<number>;
  /** How many tasks of a project are in each status. */
  readonly countByStatus: (projectId: string) => Promise<Readonly<Record<string, number>>>;
  /** A page in board order; with one status: of that column. */
  readonly pageTasks: (filter: Omit<TaskFilter, 'before'>) => Promise<TaskPage>;
  readonly getTask: (id: string) => Promise<Task | null>;
  readonly validTransitions: (taskId: string) => Promise<ReadonlyArray<TransitionOption>>;
  readonly transition: (
    input: { readonly taskId: string; readonly to: string; readonly reason?: string },
    actor: Actor,
  ) => Promise<Result<Task>>;
  readonly history: (taskId: string) => Promise<ReadonlyArray<HistoryEntry & { readonly at: string }>>;
  readonly listPhases: (taskId: string) => Promise<ReadonlyArray<TaskPhase>>;
  readonly addDependency: (
    input: { readonly taskId: string; readonly dependsOnId: string },
    actor: Actor,
  ) => Promise<Result<null>>;
  readonly removeDependency: (
    input: { readonly taskId: string; readonly dependsOnId: string },
    actor: Actor,
  ) => Promise<Result<null>>;
  readonly dependencies: (
    taskId: string,
  ) => Promise<{ readonly dependsOn: ReadonlyArray<Task>; readonly blocks: ReadonlyArray<Task> }>;
  /** Each task of the project that waits for another, with that one. */
  readonly projectDependencies: (
    projectId: string,
  ) => Promise<ReadonlyArray<{ readonly task: Task; readonly dependsOn: Task }>>;
  readonly addNote: (
    input: { readonly taskId: string; readonly text: string },
    actor: Actor,
  ) => Promise<Result<TaskNote>>;
  readonly listNotes: (taskId: string) => Promise<ReadonlyArray<TaskNote>>;
  /** The built-in ones first. */
  readonly listTemplates: () => Promise<ReadonlyArray<TaskTemplate>>;
  readonly saveTemplate: (input: NewTemplate, actor: Actor) => Promise<Result<TaskTemplate>>;
  readonly deleteTemplate: (id: string, actor: Actor) => Promise<Result<null>>;
};
