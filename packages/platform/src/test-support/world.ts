import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createScriptedAgent, type Script } from '@attractor/adapters';
import { runGit } from '@attractor/git';
import { onTestFinished } from 'vitest';
import { expectLogTellsAll } from './log-tells-all.ts';
import { type Platform, openPlatform, type PlatformOptions } from '../platform.ts';
import { readProjectConfig } from '../checks/project-config.ts';
import { unconfined } from '../run/confinement.ts';
import type { Actor, PlatformEvent, Project, Task } from '../types/index.ts';
import type { NewTask, Result } from '../workflow-contract.ts';

export const PERSON: Actor = { type: 'user', name: 'Ada' };

/** SOAK=1 multiplies the number of runs of property and kill tests. */
export function runs(count: number): number {
  return process.env['SOAK'] === '1' ? count * 20 : count;
}

export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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

/** Made once for each content and process, then copied: starting git is what takes time here. */
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
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  write(folder, files);
  await git(folder, 'init', '--quiet', '-b', 'main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}

export const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tmpdir() };

export function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export async function openTestPlatform(
  options: Partial<PlatformOptions> & { readonly scripts?: ReadonlyArray<Script> } = {},
): Promise<Platform> {
  const unexpected: unknown[] = [];
  const { scripts = [], ...rest } = options;
  const platform = must(
    await openPlatform({
      home: makeFolder(),
      agents: [createScriptedAgent(scripts)],
      env: ENV,
      confine: unconfined,
      onUnexpected: (error) => unexpected.push(error),
      ...rest,
    }),
  );
  onTestFinished(async () => {
    await platform.worker.close();
    await expectLogTellsAll(platform);
    await platform.close();
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'The worker met bugs');
  });
  return platform;
}

export async function addTask(
  platform: Platform,
  input: Partial<NewTask> & { readonly path: string },
): Promise<{ readonly project: Project; readonly task: Task }> {
  const { path, ...rest } = input;
  const project = must(await platform.workflow.createProject({ path }, PERSON));
  const config = must(readProjectConfig(project.path, { home: project.path }));
  must(await platform.workflow.trustConfig(project.id, config.hash, PERSON));
  const task = must(
    await platform.workflow.createTask({ title: 'Make sum add', ...rest, projectId: project.id }, PERSON),
  );
  return { project, task };
}

/** Resolves when the events satisfy the condition. */
export async function until(
  platform: Platform,
  filter: { readonly taskId?: string },
  holds: (events: ReadonlyArray<PlatformEvent>) => boolean,
): Promise<ReadonlyArray<PlatformEvent>> {
  const deadline = performance.now() + 100_000;
  for (;;) {
    const events = await platform.workflow.events({ ...filter, limit: 100_000 });
    if (holds(events)) return events;
    if (performance.now() > deadline)
      throw new Error(
        `Waited in vain; last events:\n${events
          .slice(-12)
          .map((event) => `${event.type}: ${event.summary}`)
          .join('\n')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const statusOf = async (platform: Platform, taskId: string): Promise<string | undefined> =>
  (await platform.workflow.getTask(taskId))?.status;
