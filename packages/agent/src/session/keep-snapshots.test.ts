import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession } from './session.ts';
import { makeSession } from '../test-support/session-world.ts';
import { makeFolder, until } from '@attractor/base/testing';
import { createMemoryJournal } from '@attractor/journal';
import { call, type Script } from '../testing/scripted-client.ts';
import { keepSnapshots } from './keep-snapshots.ts';
import { contents, open, valueOf } from '@attractor/undo/testing';

/**
 * A session whose changes are kept, as applications join the two. `opened` ends it and opens what was kept; `settled` resolves when
 * so many inputs are done and what the agent changed is kept, as it is long before a person changes anything.
 */
function makeWorld(script: Script, files: Readonly<Record<string, string>>) {
  const { root, options } = makeSession(script, { files });
  const state = path.join(makeFolder(), 'undo');
  const keeper = keepSnapshots({ workspace: root, statePath: state });
  const session = createSession({ ...options, journal: createMemoryJournal(), beforeChange: keeper.beforeChange });
  let done = 0;
  const seen = (async () => {
    for await (const event of session.events()) {
      keeper.see(event);
      if (event.kind === 'PROCESSING_END') done++;
    }
  })();
  const settled = async (inputs: number): Promise<void> => {
    await until(() => done >= inputs);
    await keeper.beforeChange('write_file');
  };
  const opened = async () => {
    await session.close();
    await seen;
    await keeper.close();
    expect(keeper.failure()).toBeNull();
    return open(root, state);
  };
  return { root, session, opened, settled, at: (name: string): string => path.join(root, name) };
}

const write = (name: string, content: string) => call('write_file', { file_path: name, content });

describe('the snapshots of a session', () => {
  it('tell what a person changed between two inputs from what the agent did, and going back keeps the former', async () => {
    const { root, session, opened, settled, at } = makeWorld(
      [
        { calls: [write('a', 'agent 1')] },
        { text: 'done' },
        { calls: [write('a', 'agent 2'), call('shell', { command: 'echo agent > made; echo agent > both' })] },
        { text: 'done' },
      ],
      { a: '0', both: '0', mine: '0' },
    );
    await session.submit('one');
    await settled(1);
    for (const name of ['both', 'mine', 'note']) writeFileSync(at(name), 'person');
    await session.submit('two');
    const undo = await opened();
    expect(undo.list().map(({ by, label }) => `${by}: ${label}`)).toEqual([
      'person: before the agent works on an input',
      'agent: write_file',
      'person: before the agent works on an input',
      'agent: write_file',
      'agent: shell',
    ]);
    const { kept } = valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(root)).toEqual({
      a: '644 0',
      both: '644 person',
      mine: '644 person',
      note: '644 person',
    });
    expect(kept.map(({ path: name, reason }) => `${name}: ${reason}`).toSorted()).toEqual([
      'both: conflict',
      'mine: person',
      'note: person',
    ]);
  });

  it('are taken before each change and after it, one for each call', async () => {
    const calls = ['a', 'b', 'c'].map((name) => write(name, 'agent'));
    const { root, session, opened, at } = makeWorld([{ calls }, { text: 'done' }], { a: '0', b: '0' });
    await session.submit('go');
    expect(readFileSync(at('c'), 'utf8')).toBe('agent');
    const undo = await opened();
    expect(undo.list().map(({ by, changed }) => `${by} ${changed}`)).toEqual([
      'person 2',
      'agent 1',
      'agent 1',
      'agent 1',
    ]);
    const [first, second] = undo.list();
    valueOf(await undo.rewind({ id: second?.id ?? 'snp_' }));
    expect(contents(root)).toEqual({ a: '644 agent', b: '644 0' });
    valueOf(await undo.rewind({ id: first?.id ?? 'snp_' }));
    expect(contents(root)).toEqual({ a: '644 0', b: '644 0' });
  });

  it('hold what its agents change, and cost nothing where nothing was changed', async () => {
    const { root, session, opened } = makeWorld(
      ({ messages }) => {
        const replies = messages.filter(({ role }) => role === 'assistant').length;
        if (JSON.stringify(messages[1]).includes('CHILD'))
          return replies === 0 ? { calls: [write('a', 'child')] } : { text: 'written' };
        const spawn = call('spawn_agent', { id: 'x', instruction: 'CHILD' });
        return [{ calls: [spawn, call('wait', { id: 'x' })] }, { text: 'done' }][replies] ?? { text: 'nothing to do' };
      },
      { a: '0' },
    );
    await session.submit('go');
    await session.submit('and?');
    const undo = await opened();
    expect(undo.list().map(({ by, label }) => `${by}: ${label}`)).toEqual([
      'person: before the agent works on an input',
      'agent: write_file',
    ]);
    valueOf(await undo.rewind({ turn: 0 }));
    expect(contents(root)).toEqual({ a: '644 0' });
  });
});
