import type { AgentConfig } from '@attractor/adapters';
import type { Id } from '@attractor/base/id';
import type { MergeMethod } from './merge-method.ts';

/** `path` is absolute, a git repository, unique, and never changes. */
export type Project = {
  readonly id: Id<'prj'>;
  /** What the names of its tasks begin with: `ATT`. */
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly defaultBranch: string;
  /**
   * Hash of the repository's configuration that was last trusted through this project. For the record: the trust kept under the home folder
   * decides.
   */
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
  /** Concurrent runs of this project. */
  readonly maxConcurrentRuns?: number;
  /** What a worker must have to take its runs, such as `gpu`; a task's own labels replace them. */
  readonly labels?: ReadonlyArray<string>;
  /** The account whose limit its runs count against. Absent: all runs of one agent type share one account. */
  readonly account?: string;
  /** What its agents may do without asking. Absent: as the agent's configuration says. */
  readonly permissionMode?: NonNullable<AgentConfig['permissionMode']>;
  /** Further folders that its runs may work in, from the top of the file system on. */
  readonly additionalDirectories?: ReadonlyArray<string>;
  /** Who may approve what its agents plan, ask for and made: `another` than who asked for the work. Absent: anyone who may answer. */
  readonly approver?: 'anyone' | 'another';
  /** How runs that failed for a temporary reason are retried. */
  readonly retry?: RetryChoices;
  /** Status to mode: an agent starts in it whenever a task gets there, other than by a failure. */
  readonly autoRun?: Readonly<Record<string, string>>;
  readonly worktreesPath?: string;
  /** After so many days the transcripts of its ended runs are moved into compressed files. Absent: they stay in the database. */
  readonly keepTranscriptsDays?: number;
  readonly git?: {
    readonly branchPrefix?: string;
    readonly prDraft?: boolean;
    /** `{title}`, `{description}`, `{plan}`, `{commits}`, `{checks}` and `{source}` are filled in. */
    readonly prTemplate?: string;
    /** Where pull requests live. Absent: on GitHub if `gh` can reach it, otherwise with us. */
    readonly scm?: 'local' | 'gh';
    /** Absent: squash. */
    readonly mergeMethod?: MergeMethod;
    /** Where a machine without `path` clones it from. Taken from the repository when the project is added. */
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
  /** For each attempt after the first. Absent: as in the agent's configuration. */
  readonly timeoutMs?: number;
  readonly maxWaits?: number;
};
