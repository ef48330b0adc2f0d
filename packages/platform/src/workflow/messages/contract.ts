import type { AgentChanges } from '@attractor/adapters';
import type { Actor, Result, TaskMessage } from '@attractor/store';

/**
 * When the agents of a task get what was said. `between_rounds`: the agent at work reads it before it asks its model again. `after_turn`: the
 * agent at work hears nothing while it works, and gets it as its next input. `next_run`: nobody is at work.
 */
export type MessageDelivery = 'between_rounds' | 'after_turn' | 'next_run';

export type SentMessage = { readonly message: TaskMessage; readonly delivery: MessageDelivery };

export type MessageCommands = {
  /** Says something to the agents of a task. With `interrupts` the agent at work gives up what it is doing for it. */
  readonly sendMessage: (
    input: { readonly taskId: string; readonly text: string; readonly interrupts?: boolean },
    actor: Actor,
  ) => Promise<Result<SentMessage>>;
  readonly listMessages: (taskId: string) => Promise<ReadonlyArray<TaskMessage>>;
  /** What a person chose for every run of the task. */
  readonly taskSettings: (taskId: string) => Promise<Result<TaskSettings>>;
  /** Changes it for every later run, and for one that works or waits from its next round on. Null: as the configuration says. */
  readonly changeTaskSettings: (taskId: string, changes: SettingChanges, actor: Actor) => Promise<Result<TaskSettings>>;
};

export type SettingChanges = { readonly [Name in keyof AgentChanges]?: AgentChanges[Name] | null };

/** `runId`: the run at work that it changed or would change. */
export type TaskSettings = AgentChanges & { readonly runId: string | null };
