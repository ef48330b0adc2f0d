import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { compileCache } from '@attractor/base/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND, runAttractor } from './attractor.ts';
import { makeWorld, type World } from './headless-world.ts';
import { plainGit } from './hostile-repository.ts';

/** Gives a program a terminal; part of every Debian. */
const TERMINAL = '/usr/bin/script';

/** Each kind of what a terminal obeys or hides: a clipboard, a title, colours, a moved cursor, eight-bit forms, a bell, hidden words. */
const HOSTILE = [
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]0;evil\u001b\\',
  '\u001b[31m',
  '\u001b[1m',
  '\u001b[2J\u001b[H',
  '\u009b2J',
  '\u009d0;evil\u009c',
  '\u0007\b\b\u007f',
  '\u001bP+q\u001b\\',
  '\u202e\u200b',
];
const SAID = `begin ${HOSTILE.join(' and ')} end`;

describe.runIf(existsSync(TERMINAL))('S10: what a model says to a terminal', () => {
  test('is never obeyed, whichever command shows it', async () => {
    const command = `printf '%b' '${'\\033]52;c;eA==\\007 \\033[31m \\302\\233 2J'}'; echo ${JSON.stringify(SAID)}`;
    const talk = [{ toolCalls: [{ use: 'shell', command }], text: SAID }, { text: SAID }];
    const world = await makeWorld(Array.from({ length: 12 }, () => talk).flat());
    plainGit(world.folder, ['init', '-q', '-b', 'main']);
    plainGit(world.folder, ['add', '--all']);
    plainGit(world.folder, ['commit', '-q', '-m', 'first']);
    const first = await world.ask(['-p', SAID, '--output-format', 'json', '--permission-mode', 'bypassPermissions']);
    const { session_id: session } = JSON.parse(first.stdout) as { readonly session_id: string };
    const env = { ANTHROPIC_API_KEY: 'none' };
    await runAttractor(['run', SAID, ...world.args(), '--yes'], { home: world.home, cwd: world.folder, env });
    const routes: ReadonlyArray<ReadonlyArray<string>> = [
      ...['text', 'json', 'stream-json'].map((format) => world.args('-p', SAID, '--output-format', format)),
      world.args('-p', SAID, '--continue'),
      ['sessions', 'list'],
      ['sessions', 'list', '--json'],
      ['sessions', 'show', session],
      ['sessions', 'search', 'begin'],
      ['sessions', 'export', session],
      ['tasks', 'list'],
      ['tasks', 'list', '--json'],
      ['runs', 'list'],
      ['events', 'list'],
      ['events', 'list', '--json'],
      ['activity'],
      ['status'],
      ['tasks', 'show', SAID],
      ['policy', 'explain', SAID],
      // One word: several would begin a conversation.
      [SAID.replaceAll(' ', '-')],
      ['--model', SAID, '-p', 'x'],
    ];
    for (const args of routes) {
      const shown = await atTerminal(world, args);
      expect(shown, `${args.slice(0, 3).join(' ')} shows something`).not.toBe('');
      expect(controls(shown), args.join(' ')).toEqual([]);
    }
  });

  test('comes through a pipe byte for byte', async () => {
    const world = await makeWorld([{ text: SAID }]);
    expect((await world.ask(['-p', 'hello'])).stdout).toBe(`${SAID}\n`);
    expect((await runAttractor([SAID], { home: world.home })).stderr).not.toContain('\u001b');
  });
});

/** Without colours of our own, so that whatever is left came from the model. */
function atTerminal({ home, folder }: World, args: ReadonlyArray<string>): Promise<string> {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const child = spawn(TERMINAL, ['-qec', `stty cols 150 rows 50; exec ${line.join(' ')}`, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      SHELL: '/bin/sh',
      TERM: 'xterm',
      NO_COLOR: '1',
      ANTHROPIC_API_KEY: 'none',
      ...compileCache(),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text));
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

/**
 * Every character that a terminal obeys or does not draw, with what stands around it. The terminal itself ends lines with CR LF, and the
 * line that says what is being done is emptied by a sequence of our own, which nothing that is said here holds.
 */
function controls(shown: string): ReadonlyArray<string> {
  const text = shown.replaceAll('\r\n', '\n').replaceAll('\r\u001b[2K', '');
  const found = text.matchAll(/[^\u0009\u000a\u0020-\u007e\u00a0-\uffff]|[\u200b\u202a-\u202e]/g);
  return [...found].map(({ index }) => JSON.stringify(text.slice(Math.max(0, index - 30), index + 30)));
}
