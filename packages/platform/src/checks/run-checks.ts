import { createLocalExecutionEnvironment, createRedactor, runGit, type Sandbox, secretValues } from '@attractor/agent';
import type { CheckResult } from '../types/index.ts';
import type { Check } from './project-config.ts';

export type CheckRun = {
  readonly folder: string;
  readonly phase: CheckResult['phase'];
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** `refused`: why nothing may run here; each check then fails with these words. */
  readonly allowed: { readonly sandbox?: Sandbox } | { readonly refused: string };
  readonly onResult: (result: CheckResult) => Promise<void>;
};

const TIMEOUT_MS = 120_000;
const KEPT_OUTPUT = 20_000;

/** Runs checks one after another in a folder and its sandbox, with secrets taken out of what they print; each result is pinned to the commit that is checked out there. A check that can't start is a failed check. */
export async function runChecks(checks: ReadonlyArray<Check>, run: CheckRun): Promise<ReadonlyArray<CheckResult>> {
  const commit = (await runGit(['rev-parse', 'HEAD'], { cwd: run.folder })).stdout.trim();
  const environment = createLocalExecutionEnvironment(run.folder, 'inherit_core', {
    env: run.env,
    sandbox: 'sandbox' in run.allowed ? run.allowed.sandbox : undefined,
  });
  const redactor = createRedactor({ secrets: secretValues(run.env) });
  const results: CheckResult[] = [];
  try {
    for (const check of checks) {
      run.signal.throwIfAborted();
      const outcome =
        'refused' in run.allowed ? notRun(run.allowed.refused) : await execute(check, environment, run.signal);
      const result: CheckResult = {
        name: check.name,
        command: check.command,
        phase: run.phase,
        commit,
        severity: check.severity,
        ...outcome,
        output: tail(redactor.text(outcome.output)),
      };
      results.push(result);
      await run.onResult(result);
    }
  } finally {
    await environment.cleanup();
  }
  return results;
}

type Outcome = Pick<CheckResult, 'passed' | 'exitCode' | 'durationMs' | 'output'>;

function notRun(why: string): Outcome {
  return { passed: false, exitCode: null, durationMs: 0, output: why };
}

async function execute(
  check: Check,
  environment: ReturnType<typeof createLocalExecutionEnvironment>,
  signal: AbortSignal,
): Promise<Outcome> {
  const started = performance.now();
  try {
    const { exitCode, stdout, stderr, timedOut, durationMs } = await environment.execCommand(check.command, {
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    const note = timedOut ? `\nStopped after ${TIMEOUT_MS / 1000} s.` : '';
    return {
      passed: exitCode === 0 && !timedOut,
      exitCode: timedOut ? null : exitCode,
      durationMs,
      output: `${stdout}${stderr}${note}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    return {
      passed: false,
      exitCode: null,
      durationMs: Math.round(performance.now() - started),
      output: error instanceof Error ? error.message : String(error),
    };
  }
}

/** The end of the output says what failed. */
function tail(output: string): string {
  return output.length <= KEPT_OUTPUT
    ? output
    : `… ${output.length - KEPT_OUTPUT} characters left out …\n${output.slice(-KEPT_OUTPUT)}`;
}
