import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createGeminiProfile } from '../profiles/gemini.ts';
import { createOpenAiProfile } from '../profiles/openai.ts';
import { call } from '../testing/scripted-client.ts';
import { makeSession } from '../test-support/session-world.ts';

/* Faults that agents of this kind have had; the table of them all is in docs/acceptance.md. */

const BEFORE = 'one\ntwo\n\tthree\n';
const AFTER = 'one\nTWO\n\tthree\n';
const PATCH = '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** End Patch';

describe('what a tool does to a file', () => {
  it.each([
    [
      'anthropic',
      createAnthropicProfile,
      call('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }),
    ],
    ['gemini', createGeminiProfile, call('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' })],
    ['openai', createOpenAiProfile, call('apply_patch', { patch: PATCH })],
    [
      'anthropic, several at once',
      createAnthropicProfile,
      call('MultiEdit', { file_path: 'a.txt', edits: [{ old_string: 'two', new_string: 'TWO' }] }),
    ],
  ])('changes the file itself and not its numbered lines, on the real environment: %s', async (_id, create, edit) => {
    const { session, root } = makeSession([{ calls: [edit] }, { text: 'ok' }], {
      files: { 'a.txt': BEFORE },
      profile: create(),
    });
    await session.submit('go');
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe(AFTER);
  });

  it('numbers lines once, and goes on counting after an offset', async () => {
    const { session } = makeSession(
      [{ calls: [call('read_file', { file_path: 'a.txt', offset: 2, limit: 2 })] }, { text: 'ok' }],
      { files: { 'a.txt': BEFORE } },
    );
    await session.submit('go');
    expect(session.history()[2]).toMatchObject({ results: [{ output: '     2\ttwo\n     3\t\tthree' }] });
  });

  it('is done one after the other where calls of one turn change the same file', async () => {
    const edits = ['one', 'two', 'three'].map((word) =>
      call('edit_file', { file_path: 'a.txt', old_string: word, new_string: `${word}!` }),
    );
    const { session, root } = makeSession([{ calls: edits }, { text: 'ok' }], { files: { 'a.txt': BEFORE } });
    await session.submit('go');
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('one!\ntwo!\n\tthree!\n');
    expect(session.history()[2]).toMatchObject({ results: edits.map(() => ({ isError: false })) });
  });
});

describe('what a tool passes on', () => {
  it('never runs a pattern of grep or glob as a command', async () => {
    const patterns = ['', "'", '"', "$(true) '", '\'"'].flatMap((quotes) =>
      ['; touch pwned; #', '$(touch pwned)', '`touch pwned`', '| touch pwned; #', '\ntouch pwned\n'].map(
        (order) => `x${quotes}${order}`,
      ),
    );
    const calls = patterns.flatMap((pattern) => [call('grep', { pattern }), call('glob', { pattern })]);
    const { session, root } = makeSession(
      [{ calls: [...calls, call('grep', { pattern: 'two' }, 'last')] }, { text: 'ok' }],
      { files: { 'a.txt': BEFORE } },
    );
    await session.submit('go');
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
    const [, , turn] = session.history();
    expect(turn?.kind === 'tool_results' && turn.results.at(-1)).toMatchObject({
      output: 'a.txt:2:two',
      isError: false,
    });
  });

  it('gives a command the timeout of the session, and where that has none the timeout of the profile', async () => {
    const sleep = { calls: [call('shell', { command: 'sleep 30' })] };
    const ofProfile = makeSession([sleep, { text: 'ok' }], {
      profile: { ...createAnthropicProfile(), defaultCommandTimeout: 100 },
    });
    const ofSession = makeSession([sleep, { text: 'ok' }], { config: { defaultCommandTimeout: 100 } });
    await Promise.all([ofProfile.session.submit('go'), ofSession.session.submit('go')]);
    for (const { session } of [ofProfile, ofSession])
      expect(session.history()[2]).toMatchObject({
        results: [{ isError: true, output: expect.stringContaining('timed out') }],
      });
  });
});
