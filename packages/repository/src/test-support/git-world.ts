import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@attractor/store/testing';

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const run = promisify(execFile);

/** What a test asks of git itself takes one process; the product's own way asks for the settings of the repository first. */
export async function git(cwd: string, ...args: ReadonlyArray<string>): Promise<string> {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const { stdout } = await run('git', ['--no-pager', ...settings, ...args], {
    cwd,
    env: VARIABLES,
    maxBuffer: 64 << 20,
  });
  return stdout.trimEnd();
}

/** No hook of a repository runs for the test, and nothing is tidied up in the background. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];

const VARIABLES = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: ':',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
};

/** A sample whose only check fails on the base commit: `sum.sh` must add. */
const SAMPLE: Readonly<Record<string, string>> = {
  'sum.sh': 'echo $(( $1 - $2 ))\n',
  'check.sh': 'test "$(sh sum.sh 2 3)" = 5\n',
  '.attractor/config.json': JSON.stringify({ strict: true, checks: { test: { command: 'sh check.sh' } } }),
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
