/** One thing that the supervisor found and dealt with, described for people. */
export type Finding = {
  /** The check that found it, such as `dead-owners`. */
  readonly check: string;
  readonly taskId: string | null;
  readonly runId: string | null;
  readonly summary: string;
};

/** `skipped`: what another process is supervising just now; nothing of it was done here. `problems`: checks that could not run, and why. */
export type SupervisorReport = {
  readonly at: string;
  readonly findings: ReadonlyArray<Finding>;
  readonly skipped: ReadonlyArray<'records' | 'machine'>;
  readonly problems: ReadonlyArray<string>;
};

/** Bytes on this machine. `maxBytes` null: no bound was set. */
export type DiskUsage = {
  readonly totalBytes: number;
  readonly maxBytes: number | null;
  readonly freeBytes: number;
  readonly homeBytes: number;
  readonly worktrees: ReadonlyArray<{
    readonly projectId: string;
    readonly taskId: string;
    readonly path: string;
    readonly bytes: number;
  }>;
};

export type HealthPart = {
  readonly name: 'database' | 'git' | 'disk' | 'workers' | 'queue' | 'prompts' | 'limits' | 'supervisor' | 'agents';
  readonly ok: boolean;
  /** The current state and, if it is not well, what to do. */
  readonly summary: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** `ok` only when every part is. */
export type Health = { readonly ok: boolean; readonly parts: ReadonlyArray<HealthPart> };
