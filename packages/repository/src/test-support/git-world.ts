import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runGit } from '@attractor/git';
import { makeFolder } from '@attractor/store/testing';

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export async function git(cwd: string, ...args: ReadonlyArray<string>): Promise<string> {
  const result = await runGit(args, { cwd, author: { name: 'Ada', email: 'ada@example.test' } });
  if (result.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
  return result.stdout.trimEnd();
}

/** A sample whose only check fails on the base commit: `sum.sh` must add. */
const SAMPLE: Readonly<Record<string, string>> = {
  'sum.sh': 'echo $(( $1 - $2 ))\n',
  'check.sh': 'test "$(sh sum.sh 2 3)" = 5\n',
  '.attractor/config.json': JSON.stringify({ checks: { test: { command: 'sh check.sh' } } }),
};

const templates = new Map<string, string>();

/** Made once for each content and process, then copied: starting git is the slow part. */
export async function makeRepository(files: Readonly<Record<string, string>> = SAMPLE): Promise<string> {
  const key = JSON.stringify(files);
  const template = templates.get(key) ?? (await makeTemplate(files));
  templates.set(key, template);
  const folder = makeFolder();
  cpSync(template, folder, { recursive: true });
  return folder;
}

async function makeTemplate(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'attractor-template-'));
  write(folder, files);
  await git(folder, 'init', '--quiet', '-b', 'main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}

export const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tmpdir() };
