import type { Actor, Project, ProjectSettings, Result } from '@attractor/store';

export type NewProject = {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly defaultBranch?: string;
};

/** Fields of `config` that are not named stay as they are, at every depth; null removes a setting. */
export type ProjectEdit = Partial<Pick<Project, 'name' | 'description' | 'defaultBranch' | 'key'>> & {
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

/** `hash` is of exactly these files: whoever trusts it trusts them. `checks` are what would run, also before. */
export type ConfigExamination = {
  readonly state: 'trusted' | 'unknown' | 'changed';
  readonly hash: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly content: string }>;
  readonly difference: ReadonlyArray<{
    readonly path: string;
    readonly change: 'added' | 'removed' | 'changed';
    readonly lines: ReadonlyArray<string>;
  }>;
  /** Why it can't be trusted, or can't be read, as it is. */
  readonly problems: ReadonlyArray<string>;
  readonly checks: ReadonlyArray<{ readonly name: string; readonly command: string }>;
};

export type ProjectCommands = {
  readonly createProject: (input: NewProject, actor: Actor) => Promise<Result<Project>>;
  readonly listProjects: () => Promise<ReadonlyArray<Project>>;
  readonly getProject: (id: string) => Promise<Project | null>;
  readonly updateProject: (id: string, edit: ProjectEdit, actor: Actor) => Promise<Result<Project>>;
  /** Its folder is elsewhere now, and no longer where it was. */
  readonly moveProject: (id: string, path: string, actor: Actor) => Promise<Result<Project>>;
  /** Stops its agents, deletes all its records, and leaves its files alone. Refused while a worker still has one of its runs. */
  readonly deleteProject: (id: string, actor: Actor) => Promise<Result<{ readonly tasks: number }>>;
  /** What the repository says about agents, whether a person trusted it, and what changed since. Nothing of it is run. */
  readonly examineConfig: (projectId: string) => Promise<Result<ConfigExamination>>;
  /** Lets the commands of the repository's configuration run, as long as their hash stays the same; null: no longer. */
  readonly trustConfig: (projectId: string, hash: string | null, actor: Actor) => Promise<Result<Project>>;
};
