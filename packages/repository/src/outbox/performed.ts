import type { ProjectGit, ScmServices } from '../scm/open-scm.ts';
import { appendEvents, type Effect, type Project, type Task, type ReportedEvent, type Tx } from '@attractor/store';
import type { ScmFailure, ScmResult } from '../git/outside-result.ts';

/** One effect while it is carried out here. `git` is the project's repository on this machine. */
export type EffectContext = {
  readonly services: ScmServices;
  readonly project: Project;
  readonly task: Task;
  readonly effect: Effect;
  readonly git: ProjectGit;
  readonly prove: ProveMerge;
  readonly cleaning: Cleaning;
};

/** What is done with the work of a run before it is kept: files that a check left go back, and no record holds a secret. */
export type Cleaning = {
  readonly putBack: (run: { readonly id: string; readonly folder: string }) => Promise<void>;
  readonly redact: (text: string) => string;
};

/**
 * Proves the result of a merge before the base has it, such as by the project's checks in a worktree of its own. A refusal says what
 * failed.
 */
export type ProveMerge = (merge: MadeMerge) => Promise<ScmResult<null>>;

export type MadeMerge = Pick<EffectContext, 'project' | 'task' | 'effect' | 'git'> & {
  readonly commit: string;
  /** The base's tip under it. */
  readonly base: string;
  /** The head of the branch, as it was reviewed. */
  readonly headCommit: string;
};

/**
 * How an attempt ended. `record` runs in the transaction that ends the effect: either what was done outside is recorded with it, or the
 * effect is repeated. `elsewhere`: this machine lacks what is needed; another one may have it.
 */
export type Performed =
  | {
      readonly outcome: 'done';
      readonly result: Readonly<Record<string, unknown>>;
      readonly record: (tx: Tx) => Promise<void>;
    }
  | { readonly outcome: 'failed'; readonly error: ScmFailure }
  | {
      readonly outcome: 'elsewhere';
      readonly reason: string;
      /** The machine where the run was worked on, described for people. */
      readonly had?: string;
    };

export function nothingToDo(result: Readonly<Record<string, unknown>> = {}): Performed {
  return { outcome: 'done', result, record: async () => undefined };
}

export function failed({ error }: Extract<ScmResult<never>, { ok: false }>): Performed {
  if (error.isElsewhere === true) return { outcome: 'elsewhere', reason: error.message };
  return { outcome: 'failed', error };
}

export async function tell(tx: Tx, { effect }: Pick<EffectContext, 'effect'>, event: ReportedEvent): Promise<void> {
  const { projectId, taskId, runId, actor } = effect;
  await appendEvents(tx, [{ ...event, projectId, taskId, runId, actor }]);
}
