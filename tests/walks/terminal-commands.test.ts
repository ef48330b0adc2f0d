import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor, until } from './attractor.ts';
import { plainGit } from './hostile-repository.ts';
import { HAS_TMUX, openTerminal } from './tmux.ts';

/** Commands that let this program, or git, do something: what is typed, and what is read then. */
const CASES: ReadonlyArray<readonly [string, string]> = [
  ['/usage', 'Nothing has been spent.'],
  ['/doctor', '✓ database'],
  ['/inbox', 'Nothing waits for you.'],
  ['/task try it', 'Start it: attractor tasks start'],
  ['/diff', 'new: fresh.js'],
  ['/export kept.jsonl', 'Written to kept.jsonl'],
  ['#we use make', 'To be remembered: we use make'],
  ['/memory', '- we use make'],
  ['/skills', 'None here. One is a folder'],
  ['!', 'Give a command'],
  ['!false', 'exit 1'],
];

test.runIf(HAS_TMUX)(
  'commands that the program itself carries out do so, and what came of them is on the screen',
  async () => {
    const home = makeFolder();
    const folder = path.join(home, 'work');
    mkdirSync(folder);
    plainGit(folder, ['init', '-q', '-b', 'main']);
    plainGit(folder, ['commit', '-q', '--allow-empty', '-m', 'first']);
    expect((await runAttractor(['projects', 'add', '.'], { home, cwd: folder })).code).toBe(0);
    writeFileSync(path.join(folder, 'fresh.js'), '1\n');
    const simulator = await startSimulator({ script: { turns: [{ text: 'Hello.' }] } });
    onTestFinished(() => simulator.close());
    const flags = ['--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
    const app = openTerminal(flags, { cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } });
    await app.sees('/ commands');
    app.say('hello');
    await app.sees('Hello.');
    for (const [typed, shows] of CASES) {
      app.press('C-u');
      app.say(typed);
      await app.sees(shows);
    }
    expect(existsSync(path.join(folder, 'kept.jsonl'))).toBe(true);
    app.press('C-u');
    app.type('gone?');
    await app.sees('› gone?');
    app.press('C-c');
    await app.sees('Cleared: Ctrl-_ has it again');
    app.press('C-_');
    await until(() => (app.screen().includes('› gone?') && !app.screen().includes('Cleared')) || undefined, 'it again');
    app.press('C-u');
    app.press('C-d');
    expect(await app.ended()).toBe(0);
  },
);
