import type { DeliveredEvent, SessionEvent } from '../events/event.ts';

/** A made-up conversation: inputs, each with rounds of calls (by the size of their outputs) before the last reply. */
type MadeInput = {
  readonly text: string;
  readonly rounds: ReadonlyArray<ReadonlyArray<number>>;
  readonly steering?: string;
};
export type MadeConversation = ReadonlyArray<MadeInput>;

/** The events that a session would have recorded, in order. */
export function eventsOf(sessionId: string, conversation: MadeConversation): ReadonlyArray<DeliveredEvent> {
  let calls = 0;
  const start: ReadonlyArray<SessionEvent> = [
    { kind: 'SESSION_START', sessionId },
    { kind: 'SYSTEM_PROMPT', content: 'You are kind.' },
  ];
  const said = conversation.flatMap(({ text, rounds, steering }): ReadonlyArray<SessionEvent> => {
    const work = rounds.flatMap((sizes) => roundOf(sizes.map((bytes) => ({ id: `call_${++calls}`, bytes }))));
    const word = steering === undefined ? [] : [{ kind: 'STEERING_INJECTED' as const, content: steering }];
    return [{ kind: 'USER_INPUT', content: text }, ...work, ...word, reply('Done.', []), { kind: 'PROCESSING_END' }];
  });
  return [...start, ...said].map((event, index) => {
    return { ...event, seq: index + 1, at: `2026-01-01T00:00:0${index % 10}.000Z`, sessionId };
  });
}

type Call = { readonly id: string; readonly bytes: number };

function roundOf(calls: ReadonlyArray<Call>): ReadonlyArray<SessionEvent> {
  return [
    reply('Working.', calls),
    ...calls.map(({ id }): SessionEvent => ({
      kind: 'TOOL_CALL_START',
      toolCallId: id,
      toolName: 'shell',
      args: { id },
    })),
    ...calls.toReversed().map(({ id, bytes }): SessionEvent => {
      const output = `${bytes} é\n`.repeat(bytes / 8);
      return { kind: 'TOOL_CALL_END', toolCallId: id, toolName: 'shell', output, isError: bytes === 5 };
    }),
  ];
}

function reply(text: string, calls: ReadonlyArray<Call>): SessionEvent {
  const parts = calls.map(({ id }) => ({
    kind: 'TOOL_CALL' as const,
    toolCallId: id,
    toolName: 'shell',
    args: { id },
  }));
  const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
  return {
    kind: 'ASSISTANT_MESSAGE',
    content: [{ kind: 'TEXT', text }, ...parts],
    usage,
    responseId: 'r',
    model: 'claude-sonnet-4-5',
  };
}
