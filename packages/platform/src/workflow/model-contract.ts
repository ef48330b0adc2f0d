import type { TaskEditFields } from '@attractor/facts';
import type {
  Actor,
  Artifact,
  Attachment,
  HistoryEntry,
  PipelineDefinition,
  PlatformEvent,
  Project,
  ProjectSettings,
  Result,
  RunOverrides,
  Task,
  TaskFilter,
  TaskNote,
  TaskPage,
  TaskPhase,
  TaskTemplate,
  TemplateFields,
} from '@attractor/store';

/** What people may change of a task by hand; its status only a transition changes. `parentTaskId: null` makes it stand alone. */
export type TaskEdit = TaskEditFields & { readonly overrides?: RunOverrides };

/** Of `config`, what is not named stays as it is, at every depth; null takes a setting away. */
export type ProjectEdit = Partial<Pick<Project, 'name' | 'description' | 'defaultBranch'>> & {
  readonly config?: SettingsEdit<ProjectSettings>;
};

type SettingsEdit<Settings> = {
  readonly [Name in keyof Settings]?:
    | (Settings[Name] extends ReadonlyArray<unknown> | undefined
        ? Settings[Name]
        : Settings[Name] extends object | undefined
          ? SettingsEdit<Settings[Name]>
          : Settings[Name])
    | null;
};

/** Each task for itself: what was done, and why the rest was not. */
export type BulkResult = {
  readonly done: ReadonlyArray<string>;
  readonly refused: ReadonlyArray<{ readonly taskId: string; readonly message: string }>;
};

export type NewAttachment = {
  readonly taskId: string;
  readonly name: string;
  readonly mediaType?: string;
  readonly content: Uint8Array;
};

export type ArtifactInput = Pick<Artifact, 'type' | 'label'> &
  Partial<Pick<Artifact, 'url' | 'content' | 'filePath' | 'phaseId' | 'metadata'>> & {
    readonly taskId: string;
    /** Unique within the task. Absent: made from the type and the label. */
    readonly key?: string;
  };

export type ArtifactEdit = Partial<Pick<Artifact, 'label' | 'url' | 'content' | 'metadata'>>;

export type NewTemplate = {
  /** Present: this one is changed. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly fields: TemplateFields;
};

/**
 * The commands and reads for everything that is kept about tasks. Each command is one transaction with its events and an actor; a
 * refused one changed nothing. `version`, where given, must be the task's current one.
 */
export type ModelCommands = {
  readonly updateProject: (id: string, edit: ProjectEdit, actor: Actor) => Promise<Result<Project>>;
  /** Stops its agents, forgets every record of it, and leaves its files alone. Refused while a worker still has one of its runs. */
  readonly deleteProject: (id: string, actor: Actor) => Promise<Result<{ readonly tasks: number }>>;

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
  /** To the place just after another task of the project; null: to the top. */
  readonly reorderTask: (
    input: { readonly taskId: string; readonly after: string | null },
    actor: Actor,
  ) => Promise<Result<Task>>;
  /** A page in the order of the board; with one status: of that column. */
  readonly pageTasks: (filter: Omit<TaskFilter, 'before'>) => Promise<TaskPage>;
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

  readonly addNote: (
    input: { readonly taskId: string; readonly text: string },
    actor: Actor,
  ) => Promise<Result<TaskNote>>;
  readonly listNotes: (taskId: string) => Promise<ReadonlyArray<TaskNote>>;

  readonly addAttachment: (input: NewAttachment, actor: Actor) => Promise<Result<Attachment>>;
  readonly listAttachments: (taskId: string) => Promise<ReadonlyArray<Attachment>>;
  readonly readAttachment: (
    id: string,
  ) => Promise<Result<{ readonly attachment: Attachment; readonly content: Uint8Array }>>;
  readonly removeAttachment: (id: string, actor: Actor) => Promise<Result<null>>;

  /** Refused where the task has that key already. */
  readonly addArtifact: (input: ArtifactInput, actor: Actor) => Promise<Result<Artifact>>;
  readonly updateArtifact: (id: string, edit: ArtifactEdit, actor: Actor) => Promise<Result<Artifact>>;
  readonly removeArtifact: (id: string, actor: Actor) => Promise<Result<null>>;
  readonly getArtifact: (id: string) => Promise<Artifact | null>;

  /** Those of ours first. */
  readonly listTemplates: () => Promise<ReadonlyArray<TaskTemplate>>;
  readonly saveTemplate: (input: NewTemplate, actor: Actor) => Promise<Result<TaskTemplate>>;
  readonly deleteTemplate: (id: string, actor: Actor) => Promise<Result<null>>;

  /** The newest version of each. */
  readonly listPipelines: () => Promise<ReadonlyArray<PipelineDefinition>>;
  /** From JSON of any origin; a valid one becomes the next version. Tasks keep the version they started with. */
  readonly savePipeline: (definition: unknown, actor: Actor) => Promise<Result<PipelineDefinition>>;
  readonly deletePipeline: (id: string, actor: Actor) => Promise<Result<null>>;
  readonly setDefaultPipeline: (id: string, actor: Actor) => Promise<Result<PipelineDefinition>>;

  /** What happened in a project, newest first. */
  readonly activity: (filter: {
    readonly projectId: string;
    readonly before?: number;
    readonly limit?: number;
  }) => Promise<ReadonlyArray<PlatformEvent>>;
};
