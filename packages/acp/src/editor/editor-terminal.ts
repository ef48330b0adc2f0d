import path from 'node:path';
import {
  EnvironmentError,
  type ExecCommand,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
} from '@attractor/agent';
import { defined, once } from '@attractor/base';
import type { Editor } from './editor.ts';

const MOST_BYTES = 1 << 20;
const PATIENCE_MS = 10_000;

/**
 * Runs commands in terminals of the editor, where a person watches them. Only for a folder whose commands no sandbox holds: an editor's
 * terminal has none. They get exactly the variables that they would get here. `shown` is told which command a terminal belongs to.
 */
export function editorTerminal(
  own: ExecutionEnvironment,
  editor: Editor,
  shown: (command: string, terminalId: string) => void,
): ExecCommand {
  const variables = once(async () => {
    const { stdout } = await own.execCommand('env -0', { timeoutMs: PATIENCE_MS });
    return stdout.split('\0').filter((text) => /^\w+=/.test(text));
  });
  return async (command: string, first?: number | ExecOptions, ...at: Positions) => {
    const asked = typeof first === 'object' ? first : positional(first, ...at);
    // A terminal has a person at its stdin.
    if (asked.stdin !== undefined) return own.execCommand(command, asked);
    const further = Object.entries(asked.envVars ?? {}).map(([name, value]) => `${name}=${value}`);
    const created = await editor.call('terminal/create', {
      command: '/usr/bin/env',
      args: ['-i', ...(await variables()), ...further, '/bin/bash', '-c', command],
      cwd: path.resolve(own.workingDirectory(), asked.workingDir ?? '.'),
      outputByteLimit: MOST_BYTES,
    });
    const terminalId = created.ok ? created.result['terminalId'] : null;
    if (typeof terminalId !== 'string') return own.execCommand(command, asked);
    shown(command, terminalId);
    try {
      return await untilEnded(editor, terminalId, asked);
    } finally {
      await editor.call('terminal/release', { terminalId });
    }
  };
}

type Positions = [workingDir?: string, envVars?: Readonly<Record<string, string>>];

function positional(timeoutMs?: number, ...[workingDir, envVars]: Positions): ExecOptions {
  return defined({ timeoutMs, workingDir, envVars });
}

async function untilEnded(
  editor: Editor,
  terminalId: string,
  { timeoutMs = PATIENCE_MS, signal }: ExecOptions,
): Promise<ExecResult> {
  const started = performance.now();
  const late = AbortSignal.timeout(timeoutMs);
  const over = signal === undefined ? late : AbortSignal.any([late, signal]);
  const ended = await editor.call('terminal/wait_for_exit', { terminalId }, over);
  if (!ended.ok) await editor.call('terminal/kill', { terminalId });
  const printed = await editor.call('terminal/output', { terminalId });
  if (signal?.aborted === true) throw new EnvironmentError({ code: 'aborted', message: 'The command was stopped.' });
  const output = printed.ok ? printed.result['output'] : '';
  const { exitCode, signal: by } = ended.ok ? ended.result : {};
  const note = late.aborted
    ? `[Command timed out after ${timeoutMs} ms and was stopped; what it printed so far is kept.]`
    : '';
  return {
    stdout: typeof output === 'string' ? output : '',
    stderr: note,
    exitCode: typeof exitCode === 'number' ? exitCode : ENDED_BY_SIGNAL,
    timedOut: late.aborted,
    durationMs: performance.now() - started,
    ...(typeof by === 'string' ? { signal: by } : {}),
  };
}

/** As shells report a program that SIGKILL ended. */
const ENDED_BY_SIGNAL = 137;
