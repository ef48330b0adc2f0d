import type { Actor, PipelineTransition, Task, Tx } from '@attractor/store';

/**
 * What an action may see and use. Everything it does is in the transition's own transaction: it queues a job or asks a prompt; nothing
 * leaves the database here.
 */
export type ActionContext = {
  readonly tx: Tx;
  readonly task: Task;
  /** The status that the task came from. */
  readonly from: string;
  readonly transition: PipelineTransition;
  readonly actor: Actor;
  readonly runId: string | null;
  readonly payload: unknown;
  readonly reason: string | null;
  readonly defaultAgentType: string;
};

export type ActionParams = Readonly<Record<string, unknown>>;

/** If an action throws, the error is recorded and the action alone is rolled back; the transition stays. */
export type TransitionAction = (context: ActionContext, params: ActionParams) => Promise<void>;
