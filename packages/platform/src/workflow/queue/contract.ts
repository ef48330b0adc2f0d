import type { Actor, QueueLimit, QueueState, Result } from '@attractor/store';

/** Everything about who works when. A pause, of one project or of all, lets running work continue and starts nothing new. */
export type QueueCommands = {
  readonly queueState: (filter?: { readonly projectId?: string; readonly limit?: number }) => Promise<QueueState>;
  readonly pauseQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  readonly resumeQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  /**
   * Pauses, and returns when all runs have ended or parked, or after `patienceMs` (default ten minutes); `running` is how many are left.
   */
  readonly drainQueue: (
    scope: { readonly projectId?: string; readonly patienceMs?: number },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
  /** The maximum number of concurrent runs of an agent type or an account, on all machines together; null: no limit. */
  readonly setQueueLimit: (
    limit: { readonly kind: QueueLimit['kind']; readonly name: string; readonly max: number | null },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
};
