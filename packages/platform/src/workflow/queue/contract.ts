import type { Actor, QueueLimit, QueueState, Result } from '@attractor/store';

/** Everything about who works when. A pause lets what runs go on and starts nothing, of one project or of all. */
export type QueueCommands = {
  readonly queueState: (filter?: { readonly projectId?: string; readonly limit?: number }) => Promise<QueueState>;
  readonly pauseQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  readonly resumeQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  /** Pauses, and answers when what ran has ended or parked, or after `patienceMs` (default ten minutes); `running` tells which. */
  readonly drainQueue: (
    scope: { readonly projectId?: string; readonly patienceMs?: number },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
  /** How many runs of an agent type or an account run at once, on all machines together; null: no limit. */
  readonly setQueueLimit: (
    limit: { readonly kind: QueueLimit['kind']; readonly name: string; readonly max: number | null },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
};
