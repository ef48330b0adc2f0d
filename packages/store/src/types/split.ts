import type { Id } from '@attractor/base/id';
import type { AgentRunMode } from './run.ts';
import { list, maybe, shaped, type Shaped, text } from './shape.ts';

const SUBTASK = {
  /** Names it among the others of its split. */
  name: text,
  title: text,
  description: maybe(text),
  acceptanceCriteria: maybe(list(text)),
  /** Names of others that have to end before it. */
  dependsOn: maybe(list(text)),
  pipelineId: maybe(text),
  agentType: maybe(text),
};

/** A part of a task as somebody would split it off, before it is a task of its own. */
export type NewSubtask = Shaped<typeof SUBTASK>;

export const newSubtask = shaped(SUBTASK);

/**
 * A task that was split. It waits until every subtask is settled: merged, closed or gone. `mode`: the agent that proposed it is then started
 * anew. One split of a task is unsettled at a time.
 */
export type Split = {
  readonly id: Id<'spl'>;
  readonly taskId: Id<'tsk'>;
  readonly runId: Id<'run'> | null;
  readonly mode: AgentRunMode | null;
  readonly subtasks: ReadonlyArray<{
    readonly name: string;
    readonly title: string;
    readonly taskId: Id<'tsk'>;
    readonly key: string;
  }>;
  readonly createdAt: string;
  readonly settledAt: string | null;
};
