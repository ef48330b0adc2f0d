import { afterEach, describe, expect, it } from 'vitest';
import { finishOf, READ_FILE, startWorld, type World } from '../test-support/world.ts';
import { systemMessage, toolMessage, userMessage, type Message } from '../types/message.ts';
import type { Request } from '../types/request.ts';
import { responseToolCalls } from '../types/response.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

/** A conversation of seven turns, each with a tool call; gives the body of every request and the usage of every answer. */
async function converse(more: Partial<Request> = {}) {
  const call = { thinking: 'which file?', toolCalls: [{ name: 'read_file', args: { path: 'a.ts' } }] };
  const world = await startWorld({ turns: [call, call, call, call, call, call, { text: 'done' }], cacheMinTokens: 0 });
  worlds.push(world);
  let messages: ReadonlyArray<Message> = [systemMessage('You are careful. '.repeat(40)), userMessage('Fix it.')];
  const usages = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const { response, usage } = finishOf(
      await world.ask({
        messages,
        reasoningEffort: 'low',
        tools: [{ ...READ_FILE, name: 'glob' }, READ_FILE],
        ...more,
      }),
    );
    usages.push(usage);
    const results = responseToolCalls(response).map(({ toolCallId }) =>
      toolMessage({ toolCallId, output: `file contents ${turn} `.repeat(20), isError: false }),
    );
    messages = [...messages, response.message, ...results];
  }
  return { requests: world.simulator.requests(), usages };
}

const MARKER = ',"cache_control":{"type":"ephemeral"}';

describe('prompt caching', () => {
  it('marks tools, system, and the last two turns that were asked: never more than four places', async () => {
    const { requests } = await converse();
    const marks = requests.map(({ body }) => JSON.stringify(body).split(MARKER).length - 1);
    expect(marks).toEqual([3, 4, 4, 4, 4, 4, 4]);
    const last = Object(requests.at(-1)?.body) as {
      tools: object[];
      system: object[];
      messages: Array<{ content: object[] }>;
    };
    expect(last.tools.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
    expect(last.system.map((text) => 'cache_control' in text)).toEqual([true]);
    const marked = last.messages.flatMap(({ content }, at) =>
      content.some((block) => 'cache_control' in block) ? [at] : [],
    );
    expect(marked).toEqual([last.messages.length - 3, last.messages.length - 1]);
  });

  it('changes no byte of what was sent before, but for the markers', async () => {
    const { requests } = await converse();
    const plain = requests.map(({ body }) =>
      JSON.stringify((Object(body) as { messages: unknown }).messages).replaceAll(MARKER, ''),
    );
    for (const [at, earlier] of plain.slice(0, -1).entries()) {
      expect(plain[at + 1]?.startsWith(earlier.slice(0, -1))).toBe(true);
    }
    const heads = requests.map(({ body }) => {
      const { system, tools } = Object(body) as Record<string, unknown>;
      return JSON.stringify({ system, tools });
    });
    expect(new Set(heads).size).toBe(1);
  });

  it('reads more than half of the input from the cache from the fifth turn on, and counts it within the input', async () => {
    const { usages } = await converse();
    for (const usage of usages.slice(4)) {
      expect(usage.cacheReadTokens ?? 0).toBeGreaterThan(usage.inputTokens / 2);
      expect((usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)).toBeLessThanOrEqual(usage.inputTokens);
    }
  });

  it('announces itself, beside the betas that the caller asks for', async () => {
    const { requests } = await converse({ providerOptions: { anthropic: { betaHeaders: ['context-1m-2025-08-07'] } } });
    expect(requests[0]?.headers['anthropic-beta']).toContain('prompt-caching-2024-07-31');
    expect(requests[0]?.headers['anthropic-beta']).toContain('context-1m-2025-08-07');
    expect(JSON.stringify(requests[0]?.body)).not.toContain('betaHeaders');
  });

  it('can be switched off', async () => {
    const { requests } = await converse({ providerOptions: { anthropic: { autoCache: false } } });
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('cache_control');
    expect(requests[0]?.headers['anthropic-beta'] ?? '').not.toContain('prompt-caching');
  });
});

describe('tool choice "none"', () => {
  it('sends no tools, unless earlier turns used some', async () => {
    const world = await startWorld({ turns: [], otherwise: { text: 'fine' } });
    worlds.push(world);
    await world.ask({ toolChoice: 'none' });
    const call = { kind: 'TOOL_CALL' as const, toolCallId: 'toolu_1', toolName: 'read_file', args: {} };
    const used = [
      userMessage('go'),
      { role: 'assistant' as const, content: [call] },
      toolMessage({ toolCallId: 'toolu_1', output: 'x', isError: false }),
    ];
    finishOf(await world.ask({ toolChoice: 'none', messages: used }));
    const [without, kept] = world.simulator.requests().map(({ body }) => JSON.stringify(body));
    expect(without).not.toMatch(/tool_choice|"tools"/);
    expect(kept).toContain('"tool_choice":{"type":"none"}');
    expect(kept).toContain('"tools":[');
  });
});
