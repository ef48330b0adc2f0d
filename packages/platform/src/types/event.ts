import type { Id } from '@attractor/base/id';

export type EventCategory =
  | 'lifecycle'
  | 'transition'
  | 'agent'
  | 'payload'
  | 'guard'
  | 'hook'
  | 'edit'
  | 'dependency'
  | 'note'
  | 'git'
  | 'error';

export type Actor = {
  readonly type: 'user' | 'agent' | 'system' | 'supervisor';
  readonly name?: string;
  readonly runId?: string;
};

/**
 * One thing that happened, in the one log. `seq` orders all events of a store and never repeats; `at` only informs.
 * Appended in the same transaction as the change it tells of, never changed after.
 */
export type PlatformEvent = {
  readonly seq: number;
  readonly id: Id<'evt'>;
  readonly at: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly runId: string | null;
  readonly category: EventCategory;
  /** Noun and verb: `task.created`, `run.step_started`, `agent.message`, `status.changed`, `prompt.created` … */
  readonly type: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
};

/** Live text of a running agent; fanned out, never stored. */
export type LiveDelta = {
  readonly taskId: string;
  readonly runId: string;
  readonly delta: Readonly<Record<string, unknown>> & { readonly kind: string };
};
