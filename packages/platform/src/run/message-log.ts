import type { AgentMessage } from '@attractor/adapters';
import { appendEvents, type NewEvent } from '../store/events.ts';
import { markProgress } from '../store/jobs.ts';
import { eventOf, type RunContext } from './run-context.ts';

/**
 * Stores what an agent says, in its order, each piece once by its key. Pieces that come while a write is under way share the
 * next one. `drained` resolves when all that was added is on disk, and rejects when it could not be.
 */
export function openMessageLog(context: RunContext) {
  let waiting: AgentMessage[] = [];
  let writing: Promise<void> = Promise.resolve();
  let scheduled = false;
  let failure: unknown = null;

  const write = async (): Promise<void> => {
    scheduled = false;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0 || failure !== null) return;
    try {
      await context.transact(async (tx) => {
        await appendEvents(
          tx,
          batch.flatMap((message) => toEvents(context, message)),
        );
        await markProgress(tx, context.claim);
      });
    } catch (error) {
      failure = error;
    }
  };

  return {
    add: (message: AgentMessage): void => {
      waiting.push(message);
      if (scheduled) return;
      scheduled = true;
      writing = writing.then(write);
    },
    drained: async (): Promise<void> => {
      await writing;
      if (failure !== null) throw failure;
    },
  };
}

function toEvents(context: RunContext, message: AgentMessage): ReadonlyArray<NewEvent> {
  const told = eventOf(context, {
    by: 'agent',
    key: `message:${message.key}`,
    category: 'agent',
    type: 'agent.message',
    summary: summarise(message),
    data: { message },
  });
  if (message.kind !== 'tool_call') return [told];
  const { toolCallId, toolName, input } = message;
  return [
    told,
    eventOf(context, {
      by: 'agent',
      key: `tool:${message.key}`,
      category: 'agent',
      type: 'agent.tool_use',
      level: 'debug',
      summary: `Uses ${toolName}`,
      data: { toolCallId, toolName, input },
    }),
  ];
}

function summarise(message: AgentMessage): string {
  const text = wordsOf(message).replaceAll(/\s+/g, ' ').trim();
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

function wordsOf(message: AgentMessage): string {
  switch (message.kind) {
    case 'text':
    case 'thinking':
    case 'notice':
      return message.text;
    case 'tool_call':
      return `Calls ${message.toolName}`;
    case 'tool_result':
      return `${message.toolName} ${message.isError ? 'failed' : 'finished'}`;
    case 'usage':
      return `${message.model}: ${message.usage.inputTokens} in, ${message.usage.outputTokens} out`;
  }
}
