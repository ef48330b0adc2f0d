import { createClient } from '@attractor/llm';
import { startSimulator, type ScriptInput } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProfile } from '../profiles/choose.ts';
import { countingTool, makeSession, settle } from '../test-support/session-world.ts';
import type { DeliveredEvent, RegisteredTool } from '../types/index.ts';

const CONSTRAINT = 'Never touch legal.txt; use tabs.';
const FAMILIES = [
  ['anthropic', 'claude-sonnet-4-5'],
  ['openai', 'gpt-5.1'],
  ['gemini', 'gemini-2.5-pro'],
] as const;
type Family = readonly [(typeof FAMILIES)[number][0], string];

const SUMMARY = {
  match: { system: { contains: 'You write the summary' } },
  turns: [{ text: 'All is well.', repeat: 'forever' as const }],
};
const ROUNDS = { turns: [{ text: 'Next.', toolCalls: [{ name: 'large', args: {} }], repeat: 'forever' as const }] };

function largeTool(): RegisteredTool {
  const tool = countingTool('large');
  return {
    ...tool,
    executor: async (...given) => `${JSON.stringify(await tool.executor(...given))} ${'lorem ipsum '.repeat(900)}`,
  };
}

async function onTheWire([provider, model]: Family, script: ScriptInput, config: Readonly<Record<string, number>>) {
  const simulator = await startSimulator({ script });
  onTestFinished(() => simulator.close());
  const client = createClient({
    configuration: { providers: { [provider]: { apiKey: 'sk-test', baseUrl: simulator.baseUrls[provider] } } },
    retry: { baseMs: 1, maxRetries: 1 },
  });
  onTestFinished(() => client.close());
  const world = makeSession([], {
    client,
    compaction: {},
    profile: createProfile(provider),
    tools: [largeTool()],
    config: { provider, model, loopDetectionWindow: 0, ...config },
  });
  return { ...world, simulator };
}

const compactions = (events: ReadonlyArray<DeliveredEvent>) =>
  events.flatMap((event) => (event.kind === 'COMPACTED' ? [event] : []));

describe.each(FAMILIES)('compaction with %s', (...family) => {
  it('keeps the constraint of turn 1 in the body of the request after five compactions', async () => {
    const { session, simulator, events } = await onTheWire(
      family,
      { conversations: [SUMMARY, ROUNDS] },
      { contextWindowSize: 20_000, maxToolRoundsPerInput: 45 },
    );
    await session.submit(`Do it. ${CONSTRAINT}`);
    await settle();
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    expect(compactions(events).length).toBeGreaterThanOrEqual(5);
    expect(new Set(compactions(events).map(({ source, trigger }) => `${source} ${trigger}`))).toEqual(
      new Set(['model auto']),
    );
    const last = simulator.requests().findLast(({ body }) => !JSON.stringify(body).includes('You write the summary'));
    expect(last?.status).toBe(200);
    expect(JSON.stringify(last?.body)).toContain(CONSTRAINT);
    expect(JSON.stringify(last?.body)).toContain('c5 (turns');
  });

  it('P12: goes on after an overflow, as long as there is something to leave out', async () => {
    const { session, simulator, events } = await onTheWire(
      family,
      { conversations: [SUMMARY, ROUNDS], contextTokens: 30_000 },
      { maxToolRoundsPerInput: 16 },
    );
    await session.submit(CONSTRAINT);
    await settle();
    expect(session.error()).toBeNull();
    const made = compactions(events);
    expect(made.length).toBeGreaterThan(0);
    expect(made.every(({ trigger }) => trigger === 'overflow')).toBe(true);
    const refused = simulator.requests().filter(({ status }) => status === 400);
    expect(refused).toHaveLength(made.length);
  });

  it('P12: ends with the error when it overflows again after the compaction', async () => {
    const full = {
      match: { lastUser: { contains: 'was compacted' } },
      turns: [{ fault: 'context_overflow' as const, repeat: 'forever' as const }],
    };
    const anew = { match: { firstUser: { contains: 'was compacted' } }, turns: full.turns };
    const { session, simulator, events } = await onTheWire(
      family,
      { conversations: [SUMMARY, full, anew, ROUNDS], contextTokens: 30_000 },
      { maxToolRoundsPerInput: 40 },
    );
    await session.submit(CONSTRAINT);
    await settle();
    expect(session.error()).toMatchObject({ code: 'context_length' });
    expect(compactions(events)).toHaveLength(1);
    expect(simulator.requests().filter(({ status }) => status === 400)).toHaveLength(2);
  });
});
