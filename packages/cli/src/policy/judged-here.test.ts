import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as shell from '@attractor/shell';
import { expect, it, onTestFinished } from 'vitest';
import { explain } from './explain.ts';
import { judgeLine } from './judge-line.ts';
import { asJudgedHere } from './judged-here.ts';

it('what a session would ask about here is explained as asking, and nothing else is', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-judged-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  writeFileSync(join(folder, '.git/COMMIT_EDITMSG'), 'x');
  mkdirSync(join(folder, 'fx'));
  execFileSync('git', ['init', '-q', '--bare', 'data'], { cwd: folder });
  execFileSync('git', ['config', 'diff.external', './evil'], { cwd: join(folder, 'data') });
  writeFileSync(join(folder, 'fx/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'fx/commondir'), '../data');
  const effects = async (command: string): Promise<ReadonlyArray<string>> => {
    const reading = shell.readShell(command, { cwd: folder, root: folder, asksGit: true });
    const judged = await asJudgedHere(command, reading, { folder, env: { HOME: folder } });
    return judged.parts.map(({ effect }) => effect);
  };
  const disk = shell.diskOf('/usr/bin:/bin', [folder]);
  const text = 'find . -name "*.md" | xargs wc -l';
  const reading = shell.readShell(text, { cwd: folder, root: folder, asksGit: true, disk });
  const judged = await asJudgedHere(text, reading, { folder, env: { HOME: folder, PATH: '/usr/bin:/bin' } });
  const line = { command: text, mode: 'read-only', allow: [], ask: [], deny: [], default: 'ask', cwd: null } as const;
  expect(explain(judgeLine(line, judged, shell), judged, shell)).toMatch(/^allow: only reads, inside the workspace\n/);
  expect(await effects('cd fx && git show HEAD')).toEqual(['read', 'unknown']);
  expect(await effects('git status && ls')).toEqual(['read', 'read']);
  expect(await effects('cd data/refs && pwd')).toEqual(['read', 'read']);
});
