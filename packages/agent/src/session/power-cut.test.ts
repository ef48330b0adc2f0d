import type { Request } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { openJournal } from '@attractor/journal';
import { readRecords } from '@attractor/journal/testing';
import { createMemoryDisk } from '@attractor/system/testing';
import { countingTool, makeSession, type WorldOptions } from '../test-support/session-world.ts';
import { until } from '@attractor/base/testing';
import { call, type Script } from '../testing/scripted-client.ts';
import { resumeSession } from './session.ts';

const FILE = '/sessions/ses_1/journal.jsonl';

/** Nothing is synced unless somebody asks for it. `left`: what a power cut right now would leave of the session. */
function makeWorld(script: Script, more: WorldOptions = {}) {
  const disk = createMemoryDisk();
  const journal = openJournal(FILE, { disk: { ...disk, syncLater: () => undefined } });
  const left = (): ReadonlyArray<string> =>
    [...readRecords(FILE, { disk: disk.afterPowerCut(() => 0) })].map(({ event }) => event.kind);
  const written = (): ReadonlyArray<string> => journal.read().map(({ event }) => event.kind);
  return { ...makeSession(script, { ...more, journal }), journal, left, written };
}

const howMany = (kinds: ReadonlyArray<string>, wanted: string): number =>
  kinds.filter((kind) => kind === wanted).length;

describe('a power cut', () => {
  it('while a tool runs that can change something finds the reply and its start; one that only reads has them written', async () => {
    const seen: ReadonlyArray<string>[] = [];
    const world = makeWorld([{ calls: [call('look')] }, { calls: [call('change')] }, { text: 'ok' }], {
      tools: [
        {
          ...countingTool('look'),
          executor: async () => {
            seen.push(world.left(), world.written());
            return 'seen';
          },
          readOnly: true,
        },
        {
          ...countingTool('change'),
          executor: async () => {
            seen.push(world.left(), world.written());
            return 'changed';
          },
        },
      ],
    });
    await world.session.submit('go');
    const [safeForLook, writtenForLook, safeForChange, writtenForChange] = seen;
    expect(writtenForLook?.slice(-2)).toEqual(['ASSISTANT_MESSAGE', 'TOOL_CALL_START']);
    expect(safeForLook).not.toContain('TOOL_CALL_START');
    expect(writtenForChange?.slice(-2)).toEqual(['ASSISTANT_MESSAGE', 'TOOL_CALL_START']);
    expect(safeForChange).toEqual(writtenForChange);
  });

  it('after submit has resolved finds all of the input', async () => {
    const { session, left, written } = makeWorld([{ calls: [call('glob', { pattern: '*' })] }, { text: 'done' }]);
    await session.submit('go');
    expect(left().at(-1)).toBe('PROCESSING_END');
    expect(left()).toEqual(written());
  });

  it('finds a question once it is asked, and an answer once it is taken', async () => {
    const question = { question: 'Which?', header: 'Which', options: [{ label: 'a' }, { label: 'b' }] };
    const { session, left } = makeWorld(
      [{ calls: [call('AskUserQuestion', { questions: [question] }, 'q')] }, { text: 'ok' }],
      { askUser: 'wait' },
    );
    const done = session.submit('go');
    await until(() => session.state() === 'AWAITING_INPUT');
    expect(left().at(-1)).toBe('QUESTION_ASKED');
    expect(session.answer('q', { 'Which?': 'a' })).toBe(true);
    expect(left().at(-1)).toBe('QUESTION_ANSWERED');
    await done;
  });

  it('finds that an agent was started as soon as that one asks its model', async () => {
    const seen: ReadonlyArray<string>[] = [];
    const world = makeWorld(({ messages }: Request) => {
      const isChild = JSON.stringify(messages[1]).includes('CHILD');
      if (isChild) seen.push(world.left());
      if (isChild || messages.length > 2) return { text: 'ok' };
      return { calls: [call('spawn_agent', { id: 'a', instruction: 'CHILD' })] };
    });
    await world.session.submit('go');
    await until(() => seen.length > 0);
    expect(seen[0]).toContain('SUBAGENT_START');
    await world.session.close();
  });

  it('finds a compaction before anything is asked that is built on it', async () => {
    const seen: { readonly left: number; readonly written: number }[] = [];
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    let rounds = 0;
    const world = makeWorld(
      ({ messages }: Request) => {
        if (JSON.stringify(messages[0]).includes('You write the summary')) return { text: 'All is well.' };
        seen.push({ left: howMany(world.left(), 'COMPACTED'), written: howMany(world.written(), 'COMPACTED') });
        return ++rounds > 8 ? { text: 'done', usage } : { calls: [call('large', { n: rounds })], usage };
      },
      {
        compaction: {},
        config: { contextWindowSize: 8_000, loopDetectionWindow: 0 },
        tools: [{ ...countingTool('large'), executor: async ({ n }) => `${String(n)} `.repeat(4_000), readOnly: true }],
      },
    );
    await world.session.submit('go');
    expect(seen.at(-1)?.written).toBeGreaterThan(0);
    for (const { left, written } of seen) expect(left).toBe(written);
  });

  it('after a resume finds it, with the calls that were interrupted', async () => {
    const world = makeWorld([{ calls: [call('hang')] }], {
      tools: [{ ...countingTool('hang'), executor: () => new Promise(() => undefined) }],
    });
    void world.session.submit('go');
    await until(() => world.written().includes('TOOL_CALL_START'));
    resumeSession({ ...world.options, journal: world.journal });
    expect(world.left().slice(-2)).toEqual(['SESSION_RESUMED', 'TOOL_CALL_END']);
  });
});
