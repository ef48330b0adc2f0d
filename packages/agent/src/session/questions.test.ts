import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryJournal, type Journal } from '@attractor/journal';

import { until } from '@attractor/base/testing';
import { makeSession, settle } from '../test-support/session-world.ts';
import { call, createScriptedClient } from '../testing/scripted-client.ts';
import type { QuestionRequest } from '../contract/session.ts';
import { resumeSession } from './session.ts';

const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  options: [{ label: 'Postgres', description: 'A server' }, { label: 'SQLite' }],
};
const CHECKS = {
  question: 'Which checks?',
  header: 'Checks',
  options: [{ label: 'Lint' }, { label: 'Types' }],
  multiSelect: true,
};
const ask = call('AskUserQuestion', { questions: [DATABASE, CHECKS] }, 'q1');

describe('AskUserQuestion', () => {
  it('waits in AWAITING_INPUT until the session is answered, and the model reads the answer', async () => {
    const { session, events } = makeSession([{ calls: [ask] }, { text: 'ok' }], { askUser: 'wait' });
    const done = session.submit('go');
    await until(() => session.state() === 'AWAITING_INPUT');
    await settle();
    expect(events.at(-1)).toMatchObject({ kind: 'QUESTION_ASKED', toolCallId: 'q1', questions: [DATABASE, CHECKS] });
    expect(session.answer('other', {})).toBe(false);
    expect(session.answer('q1', { 'Which database?': 'SQLite', 'Which checks?': ['Lint', 'Types'] })).toBe(true);
    expect(session.state()).toBe('PROCESSING');
    expect(session.answer('q1', { 'Which database?': 'too late' })).toBe(false);
    await done;
    expect(session.state()).toBe('IDLE');
    expect(session.history()[2]).toMatchObject({
      results: [{ output: 'Which database?\n→ SQLite\nWhich checks?\n→ Lint, Types', isError: false }],
    });
  });

  it('is answered by the function that was given, which sees the questions', async () => {
    const asked: QuestionRequest[] = [];
    const { session } = makeSession([{ calls: [ask] }, { text: 'ok' }], {
      askUser: async (request) => {
        asked.push(request);
        return { 'Which database?': 'in my own words' };
      },
    });
    await session.submit('go');
    expect(asked).toMatchObject([{ sessionId: session.id, toolCallId: 'q1', questions: [DATABASE, CHECKS] }]);
    expect(session.history()[2]).toMatchObject({
      results: [{ output: 'Which database?\n→ in my own words\nWhich checks?\n→ (no answer)' }],
    });
  });

  it('tells the model when nobody could be asked, and goes on', async () => {
    const { session } = makeSession([{ calls: [ask] }, { text: 'ok' }], {
      askUser: () => Promise.reject(new Error('no terminal')),
    });
    await session.submit('go');
    expect(session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('no terminal') }],
    });
    expect(session.state()).toBe('IDLE');
  });

  it('takes one to four questions with two to four options, and refuses the rest before anybody is asked', async () => {
    const one = { ...DATABASE, options: [{ label: 'only' }] };
    const { session, kinds } = makeSession(
      [
        { calls: [call('AskUserQuestion', { questions: [] }), call('AskUserQuestion', { questions: [one] })] },
        { text: 'ok' },
      ],
      { askUser: 'wait' },
    );
    await session.submit('go');
    await settle();
    expect(session.history()[2]).toMatchObject({ results: [{ isError: true }, { isError: true }] });
    expect(kinds()).not.toContain('QUESTION_ASKED');
  });

  it('is not offered where nobody can be asked', async () => {
    const silent = makeSession([{ text: 'ok' }]);
    const asking = makeSession([{ text: 'ok' }], { askUser: 'wait' });
    await Promise.all([silent.session.submit('x'), asking.session.submit('x')]);
    const names = (world: typeof silent) => world.client.requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names(silent)).not.toContain('AskUserQuestion');
    expect(names(asking)).toContain('AskUserQuestion');
  });

  it('holds up only its own call: the others of the batch run meanwhile', async () => {
    const { root, session } = makeSession(
      [{ calls: [ask, call('write_file', { file_path: 'a.txt', content: 'x' })] }, { text: 'ok' }],
      { askUser: 'wait', approve: async () => ({ decision: 'approve' }) },
    );
    const done = session.submit('go');
    await until(() => session.state() === 'AWAITING_INPUT');
    session.answer('q1', {});
    await done;
    expect(existsSync(path.join(root, 'a.txt'))).toBe(true);
  });
});

/** What the next process finds when this one died right after the last record of `kind`. */
function diedAfter(journal: Journal, kind: string): Journal {
  const records = journal.read();
  const kept = records.slice(0, records.findLastIndex((record) => record.event.kind === kind) + 1);
  const copy = createMemoryJournal();
  return { ...copy, read: () => [...kept, ...copy.read()] };
}

describe('a question and the end of a process', () => {
  const waiting = async () => {
    const world = makeSession([{ calls: [ask] }, { text: 'never' }], { askUser: 'wait' });
    const done = world.session.submit('go');
    await until(() => world.session.state() === 'AWAITING_INPUT');
    return { ...world, done };
  };

  it('is still open after the process died, and can be answered before and after the work goes on', async () => {
    for (const when of ['before', 'after']) {
      const world = await waiting();
      const client = createScriptedClient([{ text: 'thanks' }]);
      const journal = diedAfter(world.journal, 'QUESTION_ASKED');
      const session = resumeSession({ ...world.options, journal, client });
      expect(session.state()).toBe('AWAITING_INPUT');
      if (when === 'before') expect(session.answer('q1', { 'Which database?': 'SQLite' })).toBe(true);
      const resumed = session.resume();
      if (when === 'after') {
        await settle();
        expect(session.answer('q1', { 'Which database?': 'SQLite' })).toBe(true);
      }
      await resumed;
      expect(session.history()[2]).toMatchObject({
        results: [{ isError: false, output: expect.stringContaining('SQLite') }],
      });
      await world.session.abort();
    }
  });

  it('that was answered before the process died is not asked again, even if the model was about to read it', async () => {
    for (const kind of ['QUESTION_ANSWERED', 'TOOL_CALL_START']) {
      const world = makeSession([{ calls: [ask] }, { text: 'done' }], {
        askUser: async () => ({ 'Which database?': 'Postgres' }),
      });
      await world.session.submit('go');
      const client = createScriptedClient([{ text: 'thanks' }]);
      const session = resumeSession({
        ...world.options,
        journal: diedAfter(world.journal, kind),
        client,
        askUser: () => Promise.reject(new Error('asked twice')),
      });
      await session.resume();
      expect(session.history()[2]).toMatchObject({
        results: [{ isError: false, output: expect.stringContaining('Postgres') }],
      });
    }
  });

  it('stays open over close(), and is answered as not run by abort()', async () => {
    const closed = await waiting();
    await closed.session.close();
    await closed.done;
    const session = resumeSession({
      ...closed.options,
      journal: closed.journal,
      client: createScriptedClient([{ text: 'x' }]),
    });
    expect(session.state()).toBe('AWAITING_INPUT');
    const aborted = await waiting();
    await aborted.session.abort();
    await aborted.done;
    expect(aborted.session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('Not run') }],
    });
  });
});
