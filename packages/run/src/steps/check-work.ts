import { join } from 'node:path';
import { defined } from '@attractor/base';
import { isKnownFailure, type ProjectConfig } from '@attractor/project-config';
import { type CheckResult, listRuns } from '@attractor/store';
import { checkForSecrets } from '../checks/no-secrets.ts';
import { restoreAfterChecks, runChecks } from '../checks/run-checks.ts';
import { confined, variablesIn } from '../run-context/confinement.ts';
import { resultOf, type RunContext } from '../run-context/run-context.ts';
import { statePath } from './01-prepare.ts';
import { reportCheck, reportRestored } from './check-events.ts';
import { trustedChecks } from './trusted-checks.ts';

type Checked = { readonly results: ReadonlyArray<CheckResult>; readonly scan?: 'passed' | 'failed' };
type Round = { readonly head: string; readonly round: (typeof ROUNDS)[number] };

/** The project's checks, and the search for secrets, on the work as it was committed. */
export async function checkWork(context: RunContext, config: ProjectConfig, { head, round }: Round): Promise<Checked> {
  const folder = resultOf(context, 'prepare').worktree.path;
  const { checks } = trustedChecks(context, config);
  const base = await baseResults(context);
  const strict = new Set(checks.filter((check) => check.strict).map(({ name }) => name));
  const judged = (result: CheckResult): CheckResult =>
    !strict.has(result.name) && isKnownFailure(result, base.get(result.name)) ? { ...result, known: true } : result;
  const told = await confined(context, folder, (allowed) =>
    runChecks(checks, {
      folder,
      phase: 'branch',
      env: variablesIn(context.services.env, { folder, allowed }),
      secrets: context.services.secrets,
      allowed,
      signal: AbortSignal.any([context.letGo, context.cancel]),
      outputFolder: outputOf(context, round),
      onResult: (result) => reportCheck(context, judged(result), Number(round)),
      onRestored: (files) => reportRestored(context, files),
    }),
  );
  const results = told.map(judged);
  const secrets = await lookForSecrets(context, config, head);
  const scan = secrets === null ? {} : ({ scan: secrets.passed ? 'passed' : 'failed' } as const);
  if (secrets === null || !isShown(secrets, config)) return { results, ...scan };
  await reportCheck(context, secrets, Number(round));
  return { results: [...results, secrets], ...scan };
}

/** The same checks without the work: of this run or of an earlier one on the same base. */
async function baseResults(context: RunContext): Promise<ReadonlyMap<string, CheckResult>> {
  const { baseChecks, worktree } = resultOf(context, 'prepare');
  const earlier = await listRuns(context.services.store.read, { taskId: context.task.id });
  const before = [...earlier.flatMap(({ checks }) => checks), ...baseChecks].filter(
    ({ phase, commit }) => phase === 'base' && commit === worktree.baseCommit,
  );
  return new Map(before.map((check) => [check.name, check]));
}

/** The built-in search is only shown when it finds something, unless the configuration names it. */
function isShown({ output }: CheckResult, config: ProjectConfig): boolean {
  return output !== '' || (config.trust === 'trusted' && config.secrets.isNamed);
}

/** Null if nothing was added, or nobody wants it. */
async function lookForSecrets(context: RunContext, config: ProjectConfig, head: string): Promise<CheckResult | null> {
  const { isOn, severity, modes } =
    config.trust === 'trusted' ? config.secrets : ({ isOn: true, severity: 'error', modes: null } as const);
  const { worktree } = resultOf(context, 'prepare');
  const isMode = modes === null || modes.includes(context.state.run.mode);
  if (!isOn || !isMode || head === worktree.baseCommit) return null;
  return checkForSecrets({
    folder: worktree.path,
    from: worktree.baseCommit,
    to: head,
    severity,
    signal: AbortSignal.any([context.letGo, context.cancel]),
  });
}

/** A failure of a severity that matters, whether it is new or not. */
export function counts({ passed, severity }: CheckResult, config: ProjectConfig): boolean {
  return !passed && (severity === 'error' ? config.failOnError : config.failOnWarning);
}

/** What fails the run: not what failed in the same way before the work. */
export function blocking(results: ReadonlyArray<CheckResult>, config: ProjectConfig): ReadonlyArray<CheckResult> {
  return results.filter((check) => check.known !== true && counts(check, config));
}

/** A process that died in the middle of a check left the check's files here, mixed with the agent's work. */
export function putBackChecks(context: RunContext): Promise<void> {
  const folder = resultOf(context, 'prepare').worktree.path;
  return putBackFiles(statePath(context), folder, (files) => reportRestored(context, files));
}

/** The same for a run that nobody works on any more, by the folder of its state. */
export async function putBackFiles(
  state: string,
  folder: string,
  onRestored?: (files: ReadonlyArray<string>) => Promise<void>,
): Promise<void> {
  for (const round of ROUNDS)
    await restoreAfterChecks({ folder, outputFolder: join(state, 'checks', round), ...defined({ onRestored }) });
}

const ROUNDS = ['0', '1'] as const;

function outputOf(context: RunContext, round: (typeof ROUNDS)[number]): string {
  return join(statePath(context), 'checks', round);
}
