import type { Actor } from './actor.ts';
import type { MergeMethod } from './merge-method.ts';

/**
 * What has to be done outside the database, as it was decided. Each may be retried after a crash, so the worker first checks whether it was
 * done. `artifactId` names the task's artifact for the pull request.
 */
export type EffectWork =
  | {
      readonly kind: 'push';
      readonly branch: string;
      readonly commit: string;
      /** `if absent`: a branch that the remote already has is left as it is. */
      readonly only?: 'if absent';
    }
  | {
      readonly kind: 'create_pr';
      readonly headBranch: string;
      readonly baseBranch: string;
      readonly title: string;
      readonly body: string;
      readonly state: 'open' | 'draft';
      readonly phaseId: string | null;
    }
  | {
      readonly kind: 'merge_pr';
      readonly artifactId: string;
      readonly headCommit: string | null;
      /** Absent: as the project says. */
      readonly method?: MergeMethod;
    }
  | { readonly kind: 'revert_merge'; readonly artifactId: string }
  | {
      readonly kind: 'roll_back';
      /** The branch that gets the commit; `theirs`: other people work on it, too. */
      readonly branch: string;
      readonly owner: 'ours' | 'theirs';
      /** The change that is undone, and in which files; absent: in all. */
      readonly from: string;
      readonly to: string;
      readonly files?: ReadonlyArray<string>;
      readonly label: string;
    }
  | { readonly kind: 'comment_pr'; readonly artifactId: string; readonly commentKey: string; readonly body: string }
  | {
      readonly kind: 'create_branch';
      readonly branch: string;
      readonly baseBranch: string;
      readonly phaseId: string | null;
    }
  | { readonly kind: 'create_worktree'; readonly branch: string; readonly baseBranch: string }
  /** Of a run that ended while nobody worked on it: what it left in its worktree belongs on this branch. */
  | { readonly kind: 'keep_work'; readonly branch: string };

/**
 * A decided effect that any process may carry out. It is stored in the transaction that decided it. `waiting` → `running` →
 * `done` or `failed`; the effects of a task happen in the order of `seq`, one at a time.
 */
export type Effect = {
  readonly id: string;
  readonly seq: number;
  readonly projectId: string;
  readonly taskId: string;
  readonly runId: string | null;
  /** Unique within the task: repeating a decision gives the same effect. */
  readonly key: string;
  /** Null if the row is damaged. */
  readonly work: EffectWork | null;
  /** An earlier effect whose failure matters for this one. */
  readonly needs: string | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly attempts: number;
  readonly error: string | null;
  readonly actor: Actor;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};
