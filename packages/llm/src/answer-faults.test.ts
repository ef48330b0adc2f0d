import type { ScriptInput } from '@attractor/simulator';
import { afterEach, describe, expect, it } from 'vitest';
import { wireErrorClass } from './errors/wire-class.ts';
import {
  errorOf,
  finishOf,
  PROVIDERS,
  shownText,
  startWorld,
  type World,
  type WorldOptions,
} from './test-support/world.ts';
import { responseText } from './types/response.ts';

type Turn = NonNullable<ScriptInput['turns']>[number];

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function world(turn: Turn, options: WorldOptions = {}): Promise<World> {
  const made = await startWorld({ turns: [turn] }, options);
  worlds.push(made);
  return made;
}

describe.each(PROVIDERS)('P8 arguments of %s that are not what they should be', (provider) => {
  it.each(['truncated', 'trailing_comma', 'not_object', 'nan', 'duplicate_keys', 'proto'] as const)(
    '(%s) come as a call that says why it cannot run',
    async (how) => {
      const { ask } = await world(
        {
          toolCalls: [{ name: 'read_file', args: { path: 'a', other: 'b' } }],
          fault: { kind: 'malformed_arguments', how, times: 'forever' },
        },
        { provider },
      );
      const last = (await ask()).at(-1);
      if (provider === 'gemini') {
        // Gemini sends arguments as JSON values inside its JSON: most of these forms cannot be written there.
        expect(['FINISH', 'ERROR']).toContain(last?.kind);
        return;
      }
      const call =
        last?.kind === 'FINISH' ? last.response.message.content.find(({ kind }) => kind === 'TOOL_CALL') : undefined;
      expect(call).toMatchObject({ args: {}, argsError: expect.any(String), rawArgs: expect.any(String) });
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );
});

describe.each(PROVIDERS)('P10 an answer of %s cut at the token limit', (provider) => {
  it('in the middle of a call gives no call that could run', async () => {
    const turn: Turn = {
      text: 'I read',
      toolCalls: [{ name: 'read_file', args: { path: 'some/long/path.ts' } }],
      fault: { kind: 'truncated', in: 'tool_call', times: 'forever' },
    };
    const { ask } = await world(turn, { provider });
    const { finishReason, response } = finishOf(await ask());
    expect(finishReason.reason).toBe('length');
    const runnable = response.message.content.filter(
      (part) => part.kind === 'TOOL_CALL' && part.argsError === undefined,
    );
    expect(runnable).toEqual([]);
  });

  it('in the middle of a character is valid text, in every delta too', async () => {
    const { ask } = await world(
      { text: 'ab😀cd', deltaChars: 1, fault: { kind: 'truncated', in: 'text', at: 3, times: 'forever' } },
      { provider },
    );
    const events = await ask();
    const { finishReason, response } = finishOf(events);
    expect(finishReason.reason).toBe('length');
    expect(responseText(response).isWellFormed()).toBe(true);
    expect(responseText(response).startsWith('ab')).toBe(true);
    for (const event of events) if (event.kind === 'TEXT_DELTA') expect(event.text.isWellFormed()).toBe(true);
  });
});

describe.each(PROVIDERS)('P11 an answer of %s that says nothing', (provider) => {
  it.each(['refusal', 'content_filter'] as const)('because of a %s ends cleanly with that reason', async (kind) => {
    const { ask, waits } = await world({ text: 'x', fault: { kind, times: 'forever' } }, { provider });
    const last = (await ask()).at(-1);
    expect(last?.kind).toBe('FINISH');
    expect(waits).toEqual([]);
    const { reason } = finishOf([last ?? { kind: 'STREAM_START' }]).finishReason;
    expect(['content_filter', 'stop']).toContain(reason);
  });

  it.each(['empty', 'metadata_only'] as const)(
    '(%s) is asked again, at most twice, and then ends cleanly',
    async (kind) => {
      const { ask, simulator } = await world({ text: 'x', fault: { kind, times: 'forever' } }, { provider });
      const last = (await ask()).at(-1);
      expect(simulator.requests()).toHaveLength(3);
      if (last?.kind === 'FINISH') expect(last.response.message.content).toEqual([]);
      else expect(last?.kind === 'ERROR' ? last.error.code : '').toBe('stream');
    },
  );

  it('once is answered by the second attempt', async () => {
    const { ask } = await world({ text: 'fine', fault: { kind: 'empty', times: 1 } }, { provider });
    expect(shownText(await ask())).toBe('fine');
  });
});

describe.each(PROVIDERS)('P15 the bytes of %s', (provider) => {
  const turn: Turn = {
    thinking: { text: 'hm ä', always: true },
    text: 'Grüße 😀, 汉字 "q" \\ end',
    toolCalls: [{ name: 'read_file', args: { path: 'ü/😀' } }],
    deltaChars: 6,
  };

  const framings: ReadonlyArray<[string, Partial<Turn>]> = [
    ['one byte at a time', { chunkSize: 1 }],
    ['in pieces of seven', { chunkSize: 7 }],
    ['in random pieces, with CRLF', { chunkSize: { random: 42, max: 9 }, fault: { kind: 'framing', lineEnd: 'crlf' } }],
    ['with CR', { fault: { kind: 'framing', lineEnd: 'cr' } }],
    ['with a byte order mark', { fault: { kind: 'framing', bom: true } }],
    ['with comments', { fault: { kind: 'framing', comments: true } }],
    ['with data over several lines', { fault: { kind: 'framing', multiLine: true } }],
    ['with events of unknown kinds', { fault: { kind: 'unknown_events' } }],
  ];

  it.each(framings)('mean the same %s', async (_name, change) => {
    const framed = finishOf(await (await world({ ...turn, ...change }, { provider })).ask({ reasoningEffort: 'low' }));
    expect(framed.response.message.content.map(comparable)).toEqual([
      { kind: 'THINKING', text: 'hm ä', origin: `${provider}/${framed.response.model}` },
      { kind: 'TEXT', text: turn.text },
      expect.objectContaining({ kind: 'TOOL_CALL', toolName: 'read_file', args: { path: 'ü/😀' } }),
    ]);
  });
});

/** Ids and signatures may differ between two conversations. */
function comparable(part: object): unknown {
  const { toolCallId: _id, signature: _signature, ...rest } = part as Record<string, unknown>;
  return rest;
}

describe.each(PROVIDERS)('P16 a key of %s that is refused', (provider) => {
  const refused: Turn = { text: 'fine', fault: { kind: 'unauthorized', times: 1 } };

  it('is renewed once where it can be, and the request goes out again', async () => {
    let asked = 0;
    const refreshCredential = async (): Promise<string> => `test-key-000${(asked += 1) + 1}`;
    const { ask, simulator, waits } = await world(refused, { provider, settings: { refreshCredential } });
    expect([shownText(await ask()), asked, waits]).toEqual(['fine', 1, []]);
    const keys = simulator
      .requests()
      .map(({ headers }) => headers['x-api-key'] ?? headers['authorization'] ?? headers['x-goog-api-key']);
    expect(keys.map((key) => key?.slice(-4))).toEqual(['0001', '0002']);
  });

  it('again after the renewal is for a person to fix', async () => {
    let asked = 0;
    const refreshCredential = async (): Promise<string> => `test-key-100${(asked += 1)}`;
    const { ask, simulator } = await world(
      { text: 'x', fault: { kind: 'unauthorized', times: 'forever' } },
      { provider, settings: { refreshCredential } },
    );
    const { error } = errorOf(await ask());
    expect([error.code, error.retryable, wireErrorClass(error), asked, simulator.requests().length]).toEqual([
      'authentication',
      false,
      'auth',
      1,
      2,
    ]);
  });

  it('where nothing can be renewed names the variable to set', async () => {
    const { ask, simulator } = await world(
      { text: 'x', fault: { kind: 'unauthorized', times: 'forever' } },
      { provider },
    );
    const { error } = errorOf(await ask());
    expect(error.message).toMatch(/_API_KEY/);
    expect(simulator.requests()).toHaveLength(1);
  });
});
