import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compileCache, memoryParent } from '@attractor/base/testing';
import { findSandbox } from '@attractor/confine';
import { removeLater } from '../leftovers.ts';

export const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');

/** What this machine's kernel and programs offer. */
export const SANDBOX = await findSandbox({ roots: [] });

/** For walks about something else: unattended work starts on every machine, in a sandbox if there is one. */
export const ANYWHERE: ReadonlyArray<string> = SANDBOX.available ? [] : ['--allow-unsandboxed'];

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Running = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<Ended>;
};

export type StartOptions = {
  readonly home: string;
  readonly cwd?: string;
  /** The contents of stdin before it ends; null: it stays open, for the test to write to. */
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Run through another program, such as setpriv. */
  readonly through?: ReadonlyArray<string>;
  /** The program that is run instead of the built command on this Node. */
  readonly command?: ReadonlyArray<string>;
};

/** Starts the command as a script would, with PATH, HOME and what the test gives; the compile cache saves a third of a start in a new home. */
export function startAttractor(args: ReadonlyArray<string>, options: StartOptions): Running {
  const [program = '', ...rest] = [...(options.through ?? []), ...(options.command ?? builtCommand()), ...args];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? options.home,
    env: { PATH: '/usr/bin:/bin', HOME: options.home, ...compileCache(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (streams.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (streams.stderr += text));
  child.stdin.on('error', () => undefined);
  if (options.stdin !== null) child.stdin.end(options.stdin ?? '');
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, ...streams })),
  );
  removeLater(() => void child.kill('SIGKILL'));
  return { child, output: () => streams.stdout + streams.stderr, ended };
}

function builtCommand(): ReadonlyArray<string> {
  if (!existsSync(COMMAND)) throw new Error('The command is not built: run `npm run build` first.');
  return [process.execPath, COMMAND];
}

export function runAttractor(args: ReadonlyArray<string>, options: StartOptions): Promise<Ended> {
  return startAttractor(args, options).ended;
}

/** A new folder that is gone after the tests of the file: concurrent tests can't register their own clean-up. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(memoryParent(), 'attractor-walk-')));
  removeLater(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Waits until `look` finds something; fails at a deadline that only a hang reaches. At most a fifth of the time goes to looking. */
export async function until<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  what: string,
  deadlineMs = 600_000,
): Promise<Found> {
  const end = performance.now() + deadlineMs;
  while (performance.now() < end) {
    const began = performance.now();
    const found = await look();
    if (found !== undefined) return found;
    const pause = Math.max(3, 4 * (performance.now() - began));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
}
