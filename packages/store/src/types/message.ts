import type { Id } from '@attractor/base/id';
import type { Actor } from './actor.ts';

/**
 * How an agent gets a message: in the prompt that begins its run, between two rounds of its work, or as an input of its own after its turn.
 */
export type MessageVia = 'prompt' | 'steering' | 'input';

/**
 * What a person says to the agents of a task. It is kept until an agent has it, and delivered once. `interrupts`: what the agent is doing is
 * given up for it.
 */
export type TaskMessage = {
  readonly id: Id<'msg'>;
  readonly taskId: Id<'tsk'>;
  readonly text: string;
  readonly interrupts: boolean;
  readonly author: Actor;
  readonly createdAt: string;
  /** The run that got it. */
  readonly runId: Id<'run'> | null;
  readonly via: MessageVia | null;
  readonly deliveredAt: string | null;
};
