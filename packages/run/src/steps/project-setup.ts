import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { messageOf } from '@attractor/base';
import { createRedactor, redactStream } from '@attractor/redact';
import { appendEvents, type ReportedEvent } from '@attractor/store';
import { git, keepShared, SETUPS, type SharedSetup, takeShared, type Worktree } from '@attractor/repository';
import { type ConfinementResult, confined, variablesIn } from '../run-context/confinement.ts';
import { eventOf, type RunContext, type StepFailure } from '../run-context/run-context.ts';
import type { Setup } from '@attractor/project-config';

/** The files that say what a setup installs. If one of them changes, it runs again. */
const LOCK_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'go.sum',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'requirements.txt',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'flake.lock',
];
const STAMP = 'attractor-setup';
const KEPT_OUTPUT = 20_000;
const TOLD_TAIL = 2000;

/**
 * Prepares a fresh worktree with the project's own commands, which a person trusted. Runs again only if the commands or the files they
 * depend on changed in this worktree. Its output is shown live. Null: done, or not needed.
 */
export async function setUpProject(
  context: RunContext,
  setup: Setup,
  { path, head, baseCommit }: Worktree,
): Promise<StepFailure | null> {
  const admin = await git(['rev-parse', '--absolute-git-dir'], { cwd: path });
  const stamp = admin.ok ? join(admin.value, STAMP) : null;
  const inputs = await hashInputs(setup, path);
  const shared = sharedOf(context, { setup, path, inputs });
  if (await isSetUp(context, { stamp, inputs, shared })) return null;
  for (const command of setup.commands) {
    const failure = await confined(context, path, (allowed) => runCommand(context, { command, setup, path, allowed }));
    if (failure !== null) return failure;
  }
  const left = await leftBehind(context, path);
  const made = await hashInputs(setup, path);
  if (stamp !== null && left.length === 0) await writeFile(stamp, made).catch(() => undefined);
  // What a set-up makes of an agent's work is nobody else's.
  if (head === baseCommit && left.length === 0 && made === inputs) await keepShared(shared);
  return null;
}

function sharedOf(
  { services, project }: RunContext,
  { setup, path, inputs }: { readonly setup: Setup; readonly path: string; readonly inputs: string },
): SharedSetup {
  const key = createHash('sha256').update(JSON.stringify([inputs, setup.shared]));
  const store = join(services.home, SETUPS, project.id);
  return { store, key: key.digest('hex'), worktree: path, folders: setup.shared };
}

type Known = { readonly stamp: string | null; readonly inputs: string; readonly shared: SharedSetup };

/** By an earlier run in this worktree, or with what one in another left for all. */
async function isSetUp(context: RunContext, { stamp, inputs, shared }: Known): Promise<boolean> {
  const isHere = stamp !== null && (await readFile(stamp, 'utf8').catch(() => '')) === inputs;
  if (!isHere && !(await takeShared(shared))) return false;
  if (!isHere && stamp !== null) await writeFile(stamp, inputs).catch(() => undefined);
  const summary = isHere
    ? 'The set-up is up to date'
    : `The set-up of an earlier run was reused: ${shared.folders.join(', ')}`;
  await tell(context, { type: 'run.setup_skipped', summary, data: {} });
  return true;
}

async function hashInputs({ commands, inputs }: Setup, path: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(commands));
  for (const name of [...LOCK_FILES, ...inputs]) {
    const content = await readFile(join(path, name)).catch(() => null);
    if (content !== null) hash.update(`\0${name}\0${content.byteLength}\0`).update(content);
  }
  // Where pointers to submodules moved, what is checked out there is no longer what the project means.
  const moved = existsSync(join(path, '.gitmodules')) ? await git(['ls-files', '--stage'], { cwd: path }) : null;
  for (const line of moved?.ok === true ? moved.value.split('\n') : [])
    if (line.startsWith('160000 ')) hash.update(line);
  return hash.digest('hex');
}

type Run = {
  readonly command: string;
  readonly setup: Setup;
  readonly path: string;
  readonly allowed: ConfinementResult;
};

async function runCommand(context: RunContext, { command, setup, path, allowed }: Run): Promise<StepFailure | null> {
  if ('refused' in allowed) return { code: 'environment', message: allowed.refused };
  const { services, task, state } = context;
  const redactor = createRedactor({ secrets: services.secrets });
  const live = redactStream(redactor);
  const show = (text: string): void => {
    if (text !== '')
      services.live.send({
        taskId: task.id,
        runId: state.run.id,
        delta: { kind: 'tool_output_delta', toolCallId: 'setup', text },
      });
  };
  const environment = createLocalExecutionEnvironment(path, 'inherit_none', {
    variables: () => variablesIn(services.env, { folder: path, allowed }),
    sandbox: allowed.sandbox,
  });
  try {
    const ended = await environment.execCommand(command, {
      timeoutMs: setup.timeoutMs,
      signal: AbortSignal.any([context.letGo, context.cancel]),
      envVars: { ATTRACTOR_TASK_ID: task.id, ATTRACTOR_WORKDIR: path },
      onOutput: (text) => show(live.push(text)),
    });
    show(live.end());
    const output = redactor.text(`${ended.stdout}${ended.stderr}`);
    const ok = ended.exitCode === 0 && !ended.timedOut;
    const end = ended.timedOut ? `took longer than ${setup.timeoutMs / 1000} s` : `ended with ${ended.exitCode}`;
    const { exitCode, durationMs } = ended;
    await tell(context, {
      type: 'run.setup_finished',
      summary: ok ? `Set-up finished: ${command}` : `Set-up failed: ${command} ${end}`,
      data: { command, exitCode, durationMs, output: tail(output, KEPT_OUTPUT) },
      ...(ok ? {} : { level: 'error' as const }),
    });
    if (ok) return null;
    const message = `The project's set-up failed: \`${command}\` ${end}. Correct "setup" in the project's configuration, or what it needs. It printed:\n${tail(output, TOLD_TAIL)}`;
    return { code: 'environment', message };
  } catch (error) {
    context.letGo.throwIfAborted();
    context.cancel.throwIfAborted();
    const why = messageOf(error);
    return { code: 'environment', message: `The project's set-up could not start: \`${command}\`: ${why}` };
  } finally {
    await environment.cleanup();
  }
}

/**
 * A setup that rewrites tracked files would mix them into the agent's work, so they are restored. Untracked files that git does not ignore
 * stay, and are named.
 */
async function leftBehind(context: RunContext, path: string): Promise<ReadonlyArray<string>> {
  const status = await git(['status', '--porcelain', '-z', '--untracked-files=all'], { cwd: path });
  if (!status.ok || status.value === '') return [];
  await git(['reset', '--hard', '--quiet', 'HEAD'], { cwd: path });
  const left = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: path });
  const names = left.ok ? left.value.split('\0').filter((name) => name !== '') : [];
  const files = names.length === 0 ? '' : `; not ignored by git: ${names.slice(0, 10).join(', ')}`;
  await tell(context, {
    type: 'worktree.notice',
    summary: `The set-up changed files of the project; those that git tracks were put back${files}. List what it makes in .gitignore.`,
    data: { files: names.slice(0, 100) },
  });
  return names;
}

async function tell(context: RunContext, told: ReportedEvent): Promise<void> {
  await context.transact((tx) => appendEvents(tx, [eventOf(context, told)]));
}

function tail(text: string, length: number): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= length
    ? trimmed
    : `… ${trimmed.length - length} characters left out …\n${trimmed.slice(-length)}`;
}
