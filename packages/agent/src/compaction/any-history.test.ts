import { createClient, type Message } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagesOf } from '../session/messages.ts';
import { replay } from '../session/replay.ts';
import { advance, EMPTY_VIEW, type SessionView } from '../conversation/view.ts';
import { runs } from '@attractor/base/testing';
import type { SessionEvent } from '../types/index.ts';
import { ledgerOf } from './ledger.ts';
import { planCompaction } from './plan.ts';

/** One round: how large its outputs are, and what its calls do. */
const anyCall = fc.record({
  what: fc.constantFrom('read', 'edit', 'todo', 'ask', 'denied'),
  size: fc.constantFrom(0, 40, 3000, 20_000),
});
const anyInput = fc.record({
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  rounds: fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
  steering: fc.option(fc.string({ minLength: 1, maxLength: 60 })),
  /** Compact after so many rounds, or after the last reply. */
  compactAt: fc.option(fc.nat({ max: 6 })),
});
const anyHistory = fc.record({
  inputs: fc.array(anyInput, { minLength: 1, maxLength: 5 }),
  window: fc.constantFrom(6000, 20_000, 60_000),
});
type History = typeof anyHistory extends fc.Arbitrary<infer T> ? T : never;

const ANSWER = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** The events of such a history, with every compaction that can be made where one is wanted. */
function eventsOf({ inputs, window }: History): ReadonlyArray<SessionEvent> {
  const events: SessionEvent[] = [];
  let view: SessionView = EMPTY_VIEW;
  let calls = 0;
  const put = (event: SessionEvent): void => {
    events.push(event);
    view = advance(view, event, {});
  };
  const compact = (): void => {
    const plan = planCompaction({ view, window, trigger: 'manual' });
    if (plan === null) return;
    const { id, keptTurns, tokensBefore, digest } = plan;
    const prefix = plan.prefixWith(digest);
    put({
      kind: 'COMPACTED',
      id,
      trigger: 'manual',
      prefix,
      summary: digest,
      keptTurns,
      source: 'digest',
      tokensBefore,
      tokensAfter: 0,
    });
  };
  put({ kind: 'SESSION_START', sessionId: 's' });
  put({ kind: 'SYSTEM_PROMPT', content: 'You are kind.' });
  for (const { text, rounds, steering, compactAt } of inputs) {
    put({ kind: 'USER_INPUT', content: text });
    for (const [round, made] of rounds.entries()) {
      if (compactAt === round) compact();
      const named = made.map(({ what, size }) => ({ what, size, id: `call_${++calls}` }));
      put(
        reply(
          'Working.',
          named.map(({ what, id }) => callOf(what, id)),
        ),
      );
      for (const { what, size, id } of named) put(resultOf(what, id, size));
      if (steering !== null && round === 0) put({ kind: 'STEERING_INJECTED', content: steering });
    }
    put(reply('Done.', []));
    if (compactAt !== null && compactAt >= rounds.length) compact();
    put({ kind: 'PROCESSING_END' });
  }
  put({ kind: 'USER_INPUT', content: 'and now?' });
  compact();
  return events;
}

const NAMES: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  todo: 'TodoWrite',
  ask: 'AskUserQuestion',
  denied: 'Bash',
};

function callOf(what: string, toolCallId: string) {
  const args: Readonly<Record<string, unknown>> =
    what === 'todo'
      ? { todos: [{ content: `step ${toolCallId}`, status: 'pending' }] }
      : { file_path: `src/${toolCallId}.ts`, command: 'rm -rf build' };
  return { kind: 'TOOL_CALL' as const, toolCallId, toolName: NAMES[what] ?? what, args };
}

function reply(text: string, calls: ReadonlyArray<ReturnType<typeof callOf>>): SessionEvent {
  const content = [{ kind: 'TEXT' as const, text }, ...calls];
  return { kind: 'ASSISTANT_MESSAGE', content, usage: ANSWER, responseId: 'r', model: 'm' };
}

function resultOf(what: string, toolCallId: string, size: number): SessionEvent {
  const output = what === 'ask' ? `Which?\n→ answer ${toolCallId}` : `${'x y '.repeat(size / 4)} end`;
  const refused = `Denied: not ${toolCallId}`;
  const isError = what === 'denied';
  return {
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName: NAMES[what] ?? what,
    output: isError ? refused : output,
    isError,
  };
}

const viewOf = (events: ReadonlyArray<SessionEvent>): SessionView =>
  events.reduce((view, event) => advance(view, event, {}), EMPTY_VIEW);

const textOf = (messages: ReadonlyArray<Message>): string =>
  messages
    .flatMap(({ content }) => content)
    .map((part) => (part.kind === 'TEXT' ? part.text : JSON.stringify(part)))
    .join('\n');

/** Every call is answered in the messages right behind it, and nothing else is. */
function expectPaired(messages: ReadonlyArray<Message>): void {
  let open = new Set<string>();
  for (const { role, content } of messages) {
    for (const part of content) {
      if (part.kind !== 'TOOL_RESULT') continue;
      expect(open.delete(part.toolCallId)).toBe(true);
    }
    if (role === 'tool') continue;
    expect(open.size).toBe(0);
    open = new Set(content.flatMap((part) => (part.kind === 'TOOL_CALL' ? [part.toolCallId] : [])));
  }
  expect(open.size).toBe(0);
}

describe('any history, compacted anywhere', () => {
  it('keeps each call with its result, and all of the ledger in the request', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const events = eventsOf(history);
        const view = viewOf(events);
        const messages = messagesOf(view);
        expectPaired(messages);
        expect(messages[0]).toMatchObject({ role: 'system' });
        expect(messages[1]).toMatchObject({ role: 'user' });
        const text = textOf(messages);
        const { words, decisions, files, open } = ledgerOf(view.turns, view.turns.length);
        for (const said of words) expect(text).toContain(said.text);
        // Where a window is this small, the oldest decisions and files may be told as left out; the latest never are.
        const isAmple = history.window >= 20_000;
        for (const { text: decided } of isAmple ? decisions : decisions.slice(-1))
          expect(text).toContain(decided.split('→ ').at(-1));
        for (const file of isAmple ? files : files.slice(-1)) expect(text).toContain(file);
        for (const item of open) expect(text).toContain(item.text);
      }),
      { numRuns: runs(60, 5000) },
    );
  });

  it('is folded from its journal to the same request, also when the journal is cut off', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, cut) => {
        const events = eventsOf(history);
        const upto = events.slice(0, 1 + (cut % events.length));
        const records = upto.map((event, index) => ({ v: 1 as const, seq: index + 1, at: '2026-01-01', event }));
        expect(JSON.stringify(messagesOf(replay(records, {}).view))).toBe(JSON.stringify(messagesOf(viewOf(upto))));
      }),
      { numRuns: runs(25, 2000) },
    );
  });

  it('is folded from a very long journal to the same request', () => {
    const rounds: History['inputs'][number]['rounds'] = [[{ what: 'edit', size: 40 }]];
    const inputs = Array.from({ length: 600 }, (_, index) => {
      return { text: `wish ${index}`, rounds, steering: null, compactAt: index % 200 === 150 ? 1 : null };
    });
    const events = eventsOf({ inputs, window: 60_000 });
    const records = events.map((event, index) => ({ v: 1 as const, seq: index + 1, at: '2026-01-01', event }));
    const { view } = replay(records, {});
    expect(view.compaction?.spans.length).toBe(4);
    expect(view.compaction).toEqual(viewOf(events).compaction);
    expect(JSON.stringify(messagesOf(view))).toBe(JSON.stringify(messagesOf(viewOf(events))));
  });
});

describe('on the wire of every family', () => {
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  beforeAll(async () => {
    simulator = await startSimulator({ script: { turns: [{ text: 'Fine.', repeat: 'forever' }] } });
  });
  afterAll(() => simulator.close());

  it.each([
    ['anthropic', 'claude-sonnet-4-5'],
    ['openai', 'gpt-5.1'],
    ['gemini', 'gemini-2.5-pro'],
  ] as const)('%s accepts what is left of any history', async (provider, model) => {
    const client = createClient({
      configuration: { providers: { [provider]: { apiKey: 'sk-test', baseUrl: simulator.baseUrls[provider] } } },
      retry: { baseMs: 1, maxRetries: 0 },
    });
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const response = await client.complete({ provider, model, messages: messagesOf(viewOf(eventsOf(history))) });
        expect(response.message.content).toMatchObject([{ kind: 'TEXT', text: 'Fine.' }]);
        expect(response.warnings).toEqual([]);
      }),
      { numRuns: runs(10, 400) },
    );
    await client.close();
  });
});
