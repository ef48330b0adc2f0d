import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../script/types.ts';
import { type Simulator, startSimulator } from '../simulator.ts';
import { ask, PROTOCOLS } from '../test-support/raw-http.ts';

type TurnInput = NonNullable<ScriptInput['turns']>[number];
type FaultInput = TurnInput['fault'];
type Refusing =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'too_large'
  | 'timeout'
  | 'context_overflow'
  | 'overloaded';

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.close()));
  running = [];
});

async function start(...turns: TurnInput[]): Promise<Simulator> {
  const simulator = await startSimulator({ script: { turns } });
  running.push(simulator);
  return simulator;
}

const TEXT = 'The quick brown fox — über den faulen Hund 🐕 — jumps. '.repeat(4);
const faulty = (fault: FaultInput): Promise<Simulator> => start({ text: TEXT, fault });
const calling = (fault: FaultInput): Promise<Simulator> =>
  start({
    toolCalls: [
      { use: 'read', path: 'a.txt' },
      { use: 'read', path: 'b.txt' },
    ],
    fault,
  });

describe.each(PROTOCOLS)('over %s', (protocol) => {
  it('limits the rate with each form of retry-after, once, and then answers', async () => {
    const simulator = await faulty([
      { kind: 'rate_limit', retryAfter: 2 },
      { kind: 'rate_limit', retryAfterMs: 1500, after: 1 },
      { kind: 'rate_limit', retryAfterDate: 30, after: 2 },
    ]);
    expect(await ask(simulator.url, protocol)).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect(await ask(simulator.url, protocol)).toMatchObject({ status: 429, headers: { 'retry-after-ms': '1500' } });
    const dated = await ask(simulator.url, protocol);
    expect(Date.parse(String(dated.headers['retry-after']))).toBeGreaterThan(Date.now() + 10_000);
    expect(await ask(simulator.url, protocol)).toMatchObject({ status: 200, ended: 'complete' });
    expect(simulator.requests().map(({ attempt, position, status }) => [attempt, position, status])).toEqual([
      [1, 0, 429],
      [2, 0, 429],
      [3, 0, 429],
      [4, 0, 200],
    ]);
  });

  it('has spent its cap, without a hint when to come back', async () => {
    const answer = await ask((await faulty('spend_cap')).url, protocol);
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBeUndefined();
    const words = {
      anthropic: 'enforced_spend_limit_reached',
      openai: 'insufficient_quota',
      'openai-chat': 'insufficient_quota',
      gemini: 'QuotaFailure',
    };
    expect(answer.body).toContain(words[protocol]);
  });

  it.each([500, 502, 503, 504, 529])('fails with %i before the first byte', async (status) => {
    const simulator = await faulty({ kind: 'status', status, times: 2 });
    const first = await ask(simulator.url, protocol);
    expect(first.status).toBe(status);
    expect(JSON.parse(first.body)).toHaveProperty('error');
    expect((await ask(simulator.url, protocol)).status).toBe(status);
    expect((await ask(simulator.url, protocol)).status).toBe(200);
  });

  it.each<[Refusing, Record<string, number>, RegExp]>([
    ['unauthorized', { gemini: 400 }, /key/i],
    ['forbidden', {}, /permission|allowed/i],
    ['not_found', {}, /not.found/i],
    ['too_large', {}, /exceeds|too large/i],
    ['timeout', { gemini: 504 }, /timed out/i],
    ['context_overflow', {}, /too long|context window|context length|exceeds the maximum/i],
    ['overloaded', { anthropic: 529 }, /overloaded/i],
  ])('refuses with the words for %s', async (fault, statuses, words) => {
    const usual: Record<string, number> = {
      unauthorized: 401,
      forbidden: 403,
      not_found: 404,
      too_large: 413,
      timeout: 408,
      context_overflow: 400,
      overloaded: 503,
    };
    const answer = await ask((await faulty(fault)).url, protocol);
    expect(answer.status).toBe(statuses[protocol] ?? usual[fault]);
    expect(answer.body).toMatch(words);
  });

  it('is overloaded inside a stream, before or after the first words', async () => {
    const simulator = await faulty([
      { kind: 'overloaded', at: 'start' },
      { kind: 'overloaded', at: 'output', after: 1 },
    ]);
    const before = await ask(simulator.url, protocol);
    expect(before).toMatchObject({ status: 200, ended: 'complete' });
    expect(before.body).toMatch(/overloaded/i);
    expect(before.body).not.toContain('quick');
    const after = await ask(simulator.url, protocol);
    expect(after.body).toContain('quick');
    expect(after.body).toMatch(/overloaded/i);
    expect(after.body).not.toMatch(/message_stop|response\.completed|"finish_reason":"stop"|"finishReason":"STOP"/);
    const plain = await faulty({ kind: 'overloaded', at: 'output' });
    expect((await ask(plain.url, protocol, { stream: false })).status).toBeGreaterThanOrEqual(503);
  });

  it.each(['reset', 'end', 'clean'] as const)('cuts the connection at a byte by %s', async (how) => {
    const simulator = await faulty({ kind: 'cut', atByte: 97, how });
    const answer = await ask(simulator.url, protocol);
    expect(answer.ended).toBe(how === 'clean' ? 'complete' : 'cut');
    expect(Buffer.concat(answer.chunks).length).toBe(97);
    const whole = await ask(simulator.url, protocol);
    expect(whole.ended).toBe('complete');
    expect(whole.body.startsWith(answer.body.slice(0, 40))).toBe(true);
  });

  it('stalls: silent from the start, before the headers, or in the middle', async () => {
    const simulator = await faulty([
      { kind: 'stall' },
      { kind: 'stall', headers: 'held', after: 1 },
      { kind: 'stall', atByte: 50, after: 2 },
      { kind: 'stall', atByte: 50, forMs: 30, after: 3 },
    ]);
    const leaving = { leaveAfterMs: 150 };
    expect(await ask(simulator.url, protocol, leaving)).toMatchObject({ status: 200, body: '', ended: 'left' });
    expect(await ask(simulator.url, protocol, leaving)).toMatchObject({ status: 0, ended: 'left' });
    expect(Buffer.concat((await ask(simulator.url, protocol, leaving)).chunks).length).toBe(50);
    const late = await ask(simulator.url, protocol);
    expect(late.ended).toBe('complete');
    expect(late.body).toBe((await ask(simulator.url, protocol)).body);
  });

  it('sends nothing but pings, or some of them and then the answer', async () => {
    const simulator = await faulty([
      { kind: 'pings', everyMs: 5 },
      { kind: 'pings', everyMs: 5, count: 3, after: 1 },
    ]);
    const pings = (body: string): number => body.match(/ping|keepalive/g)?.length ?? 0;
    const only = await ask(simulator.url, protocol, { leaveOnce: (body) => pings(body) > 3 });
    expect(only.ended).toBe('left');
    expect(only.body).not.toContain('quick');
    const some = await ask(simulator.url, protocol);
    expect(some.ended).toBe('complete');
    expect(some.body).toContain('quick');
  });

  it('drips its bytes', async () => {
    const fault = { kind: 'slow' as const, bytes: 150, everyMs: 1, times: 1 };
    const simulator = await start({ text: TEXT, usage: { input: 10, output: 10 }, fault });
    const slow = await ask(simulator.url, protocol);
    expect(slow.chunks.length).toBeGreaterThan(3);
    expect(slow.body).toBe((await ask(simulator.url, protocol)).body);
  });

  it.each([
    'truncated',
    'trailing_comma',
    'wrong_type',
    'not_object',
    'nan',
    'duplicate_keys',
    'proto',
    'empty',
  ] as const)('breaks the arguments of a call: %s', async (how) => {
    const good = await ask((await calling([])).url, protocol);
    const simulator = await calling({ kind: 'malformed_arguments', how });
    const broken = await ask(simulator.url, protocol);
    expect(broken).toMatchObject({ status: 200, ended: 'complete' });
    expect(broken.body).not.toBe(good.body);
    const unreadable = ['truncated', 'trailing_comma', 'nan', 'empty'].includes(how);
    expect(broken.body).toContain(protocol === 'gemini' && unreadable ? 'MALFORMED_FUNCTION_CALL' : 'read_file');
    expect((await ask(simulator.url, protocol, { stream: false })).status).toBe(200);
  });

  it('makes the arguments huge', async () => {
    const answer = await ask(
      (await calling({ kind: 'malformed_arguments', how: 'huge', size: 300_000 })).url,
      protocol,
    );
    expect(answer.body.length).toBeGreaterThan(300_000);
  });

  it('breaks the ids and the names of calls', async () => {
    const ids = (body: string): string[] =>
      [...body.matchAll(/"(?:id|call_id)": ?"((?:toolu|call)_[^"]*|)"/g)].map((found) => found[1] ?? '');
    const same = ids((await ask((await calling({ kind: 'tool_ids', how: 'duplicate' })).url, protocol)).body);
    expect(new Set(same).size).toBe(1);
    expect(same.length).toBeGreaterThan(1);
    const empty = ids((await ask((await calling({ kind: 'tool_ids', how: 'empty' })).url, protocol)).body);
    expect(new Set(empty).size).toBeLessThanOrEqual(1);
    const unknown = await ask((await calling({ kind: 'unknown_tool', name: 'teleport' })).url, protocol);
    expect(unknown.body).toContain('teleport');
    expect(unknown.body).not.toContain('"name":"read_file","input"');
  });

  it('runs out of tokens in the middle of text or of a call', async () => {
    const limit = /max_tokens|max_output_tokens|"finish_reason":"length"|MAX_TOKENS/;
    const text = await ask((await faulty({ kind: 'truncated', in: 'text', at: 9 })).url, protocol);
    expect(text.body).toMatch(limit);
    expect(text.body).toContain('The quick');
    expect(text.body).not.toContain('brown');
    const call = await ask((await calling({ kind: 'truncated', in: 'tool_call' })).url, protocol);
    expect(call.body).toMatch(limit);
    expect(call.body).not.toContain('b.txt');
  });

  it('stops in the middle of a surrogate pair and stays valid JSON', async () => {
    const at = TEXT.indexOf('🐕') + 1;
    const answer = await ask((await faulty({ kind: 'truncated', in: 'text', at })).url, protocol, { stream: false });
    expect(answer.body).toContain(String.raw`\ud83d`);
    expect(() => JSON.parse(answer.body) as unknown).not.toThrow();
  });

  it('refuses, filters, says nothing, or sends only metadata', async () => {
    expect((await ask((await faulty('refusal')).url, protocol)).body).toMatch(/refusal|blockReason/);
    expect((await ask((await faulty('content_filter')).url, protocol)).body).toMatch(/refusal|content_filter|SAFETY/);
    const empty = await faulty('empty');
    expect((await ask(empty.url, protocol)).body).not.toContain('quick');
    expect((await ask(empty.url, protocol)).body).toContain('quick');
    const metadata = await faulty('metadata_only');
    const only = await ask(metadata.url, protocol);
    expect(only).toMatchObject({ status: 200, ended: 'complete' });
    expect(only.body).not.toMatch(/quick|message_stop|response\.completed|"finish_reason":"|finishReason/);
  });

  it('mixes in events that nobody knows', async () => {
    const answer = await ask((await faulty('unknown_events')).url, protocol);
    expect(answer.body).toMatch(/future/);
    expect(answer.body).toContain('quick');
  });

  it('frames its lines in every legal way', async () => {
    const plain = (await ask((await faulty([])).url, protocol)).body;
    const framed = async (fault: object): Promise<string> =>
      (await ask((await faulty({ kind: 'framing', ...fault })).url, protocol)).body;
    expect((await framed({ lineEnd: 'crlf' })).replaceAll('\r\n', '\n')).toBe(plain);
    expect((await framed({ lineEnd: 'cr' })).replaceAll('\r', '\n')).toBe(plain);
    expect(await framed({ bom: true })).toBe(`\uFEFF${plain}`);
    expect((await framed({ comments: true })).replaceAll(/^: comment \d+\n/gm, '')).toBe(plain);
    expect(await framed({ multiLine: true })).toMatch(/^data: \{\ndata: .*\ndata: \}$/m);
  });

  it('answers with a web page, plain text, nothing, or something that is not JSON', async () => {
    const body = async (fault: FaultInput): Promise<[number, unknown, string]> => {
      const answer = await ask((await faulty(fault)).url, protocol);
      return [answer.status, answer.headers['content-type'], answer.body.slice(0, 6)];
    };
    expect(await body({ kind: 'status', status: 502, body: 'html' })).toEqual([
      502,
      'text/html; charset=utf-8',
      '<html>',
    ]);
    expect(await body({ kind: 'status', status: 503, body: 'text' })).toEqual([
      503,
      'text/plain; charset=utf-8',
      'upstre',
    ]);
    expect(await body({ kind: 'status', status: 500, body: 'empty' })).toEqual([500, 'text/plain; charset=utf-8', '']);
    expect(await body({ kind: 'not_json' })).toEqual([200, 'application/json', 'upstre']);
  });

  it('sends a byte at a time, or breaks where it is told', async () => {
    const simulator = await start({ text: 'ü🐕', chunkSize: 1 });
    const bytes = await ask(simulator.url, protocol);
    expect(bytes.ended).toBe('complete');
    expect(bytes.chunks.length).toBeGreaterThan(bytes.body.length / 4);
    const broken = await ask((await start({ text: 'ü🐕', chunkBoundaries: [10, 20] })).url, protocol);
    expect(broken.body).toBe(bytes.body);
    expect(broken.chunks[0]?.length).toBe(10);
  });

  it('waits before it answers and between events', async () => {
    const simulator = await start({ text: TEXT, delayMs: 30, eventDelayMs: 1 });
    const answer = await ask(simulator.url, protocol);
    expect(answer.chunks.length).toBeGreaterThan(4);
    expect(answer.ended).toBe('complete');
  });
});
