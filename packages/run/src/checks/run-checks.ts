import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@attractor/base';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { createRedactor } from '@attractor/redact';
import type { Sandbox } from '@attractor/confine';
import type { CheckResult } from '@attractor/store';
import { keepWorktree, putBackLeft } from '@attractor/repository';
import type { Check } from '@attractor/project-config';

export type CheckRun = {
  readonly folder: string;
  readonly phase: CheckResult['phase'];
  /** All variables of the checks. */
  readonly env: Readonly<Record<string, string>>;
  /** Values that no output may contain, including those of variables that checks do not see, since a file may hold them too. */
  readonly secrets: ReadonlyArray<string>;
  readonly signal: AbortSignal;
  /** Where the full output of each check is kept; the result has its end. */
  readonly outputFolder: string;
  /** `refused`: why nothing may run here; each check then fails with this message. */
  readonly allowed: { readonly sandbox?: Sandbox } | { readonly refused: string };
  readonly onResult: (result: CheckResult) => Promise<void>;
  /** Called with the files that the checks changed in the folder and that were restored. */
  readonly onRestored?: (files: ReadonlyArray<string>) => Promise<void>;
};

const TIMEOUT_MS = 120_000;
const KEPT_OUTPUT = 20_000;
const KEPT_FILE = 4 << 20;

/**
 * Runs checks one after another in a folder and its sandbox, with secrets removed from their output. Each result is pinned to the commit
 * that was checked out before the first; files that a check changes are restored. A check that can't start is a failed check.
 */
export async function runChecks(checks: ReadonlyArray<Check>, run: CheckRun): Promise<ReadonlyArray<CheckResult>> {
  if (checks.length === 0) return [];
  const environment = createLocalExecutionEnvironment(run.folder, 'inherit_none', {
    variables: () => run.env,
    sandbox: 'sandbox' in run.allowed ? run.allowed.sandbox : undefined,
  });
  const redactor = createRedactor({ secrets: run.secrets });
  const results: CheckResult[] = [];
  let commit: string | null = null;
  try {
    for (const check of checks) {
      run.signal.throwIfAborted();
      const place = { folder: run.folder, note: noteIn(run.outputFolder) };
      const { value: outcome, restored, head } = await keepWorktree(place, () => execute(check, environment, run));
      commit ??= head ?? '';
      const { name, command, severity } = check;
      const whole = redactor.text(outcome.output);
      const file = await keepOutput(run.outputFolder, { name, output: whole });
      const result: CheckResult = {
        name,
        command,
        severity,
        phase: run.phase,
        commit,
        ...outcome,
        output: tail(whole, KEPT_OUTPUT),
        ...(file === null ? {} : { outputFile: file }),
      };
      results.push(result);
      await run.onResult(result);
      if (restored.length > 0) await run.onRestored?.(restored);
    }
  } finally {
    await environment.cleanup();
  }
  return results;
}

/** Restores files that checks left changed when their process died, before they pass for the agent's work. */
export async function restoreAfterChecks(run: Pick<CheckRun, 'folder' | 'outputFolder' | 'onRestored'>): Promise<void> {
  const restored = await putBackLeft({ folder: run.folder, note: noteIn(run.outputFolder) });
  if (restored.length > 0) await run.onRestored?.(restored);
}

/** No check's own output has this name. */
function noteIn(outputFolder: string): string {
  return join(outputFolder, 'worktree-before.json');
}

type Outcome = Pick<CheckResult, 'passed' | 'exitCode' | 'timedOut' | 'durationMs' | 'output'>;
type Environment = ReturnType<typeof createLocalExecutionEnvironment>;

async function execute(check: Check, environment: Environment, { signal, allowed }: CheckRun): Promise<Outcome> {
  if ('refused' in allowed) return { passed: false, exitCode: null, durationMs: 0, output: allowed.refused };
  const started = performance.now();
  const timeoutMs = check.timeoutMs ?? TIMEOUT_MS;
  try {
    const { exitCode, stdout, stderr, timedOut, durationMs } = await environment.execCommand(check.command, {
      timeoutMs,
      signal,
    });
    return {
      passed: exitCode === 0 && !timedOut,
      exitCode: timedOut ? null : exitCode,
      ...(timedOut ? { timedOut: true as const } : {}),
      durationMs,
      output: `${stdout}${stderr}${note(check, { exitCode, timedOut, timeoutMs })}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    return {
      passed: false,
      exitCode: null,
      durationMs: Math.round(performance.now() - started),
      output: messageOf(error),
    };
  }
}

type End = { readonly exitCode: number; readonly timedOut: boolean; readonly timeoutMs: number };

/** What to do if the check itself is at fault, not the work. */
function note({ name, command }: Check, { exitCode, timedOut, timeoutMs }: End): string {
  if (timedOut)
    return `\nStopped after ${timeoutMs / 1000} s. If it needs longer, raise "checks.${name}.timeout" (milliseconds).`;
  if (exitCode === 127)
    return `\nA command of \`${command}\` was not found. Install it, or correct "checks.${name}.command" in the project's configuration.`;
  if (exitCode === 126)
    return `\n\`${command}\` is not executable. Correct "checks.${name}.command" in the project's configuration.`;
  return '';
}

/** Null if it could not be written: the result itself does not depend on it. */
async function keepOutput(
  folder: string,
  kept: { readonly name: string; readonly output: string },
): Promise<string | null> {
  const file = join(folder, `${kept.name.replaceAll(/[^\w.-]+/g, '_').slice(0, 60) || 'check'}.log`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, tail(kept.output, KEPT_FILE), { mode: 0o600 });
    return file;
  } catch {
    return null;
  }
}

/** The end of the output says what failed. */
function tail(output: string, length: number): string {
  return output.length <= length
    ? output
    : `… ${output.length - length} characters left out …\n${output.slice(-length)}`;
}
