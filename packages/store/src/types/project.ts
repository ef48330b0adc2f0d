import type { Id } from '@attractor/base/id';

/** `path` is absolute, a git repository, unique, and never changes. */
export type Project = {
  readonly id: Id<'prj'>;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly defaultBranch: string;
  /** Hash of the repository's configuration that was trusted last through this project. For the record: what counts is the trust that is kept under the home folder. */
  readonly trustedConfigHash: string | null;
  readonly config: ProjectSettings;
  readonly createdAt: string;
};

/** What people chose for the project here, as opposed to what its repository says about itself. */
export type ProjectSettings = {
  readonly defaultPipeline?: string;
  /** Task type (such as `bug`) to the pipeline its tasks start with. */
  readonly pipelineByType?: Readonly<Record<string, string>>;
  readonly defaultAgentType?: string;
  /** Runs of this project at once. */
  readonly maxConcurrentRuns?: number;
  /** What a worker must have to take its runs, such as `gpu`; a task's own labels replace them. */
  readonly labels?: ReadonlyArray<string>;
  /** The account whose limit its runs count against. Absent: all runs of one agent type share one account. */
  readonly account?: string;
  /** How runs that failed for a passing reason are tried again. */
  readonly retry?: RetryChoices;
  readonly autoRun?: Readonly<Record<string, string>>;
  readonly worktreesPath?: string;
  readonly git?: {
    readonly branchPrefix?: string;
    readonly prDraft?: boolean;
    /** `{title}`, `{description}`, `{plan}`, `{commits}`, `{checks}` and `{source}` are filled in. */
    readonly prTemplate?: string;
    /** Where pull requests live. Absent: on GitHub where `gh` can reach it, else with us. */
    readonly scm?: 'local' | 'gh';
    /** Where a machine that does not have `path` clones it from. Taken from the repository when the project is added. */
    readonly remoteUrl?: string;
  };
  readonly notifications?: Readonly<Record<string, boolean>>;
};

/** Missing fields are as in `RETRY_DEFAULTS`: three tries, 30 s before the second, twice as long before each further one. */
export type RetryChoices = {
  readonly enabled?: boolean;
  readonly maxAttempts?: number;
  readonly delayMs?: number;
  readonly factor?: number;
  /** For each attempt after the first. Absent: as the agent's configuration says. */
  readonly timeoutMs?: number;
  readonly maxWaits?: number;
};
