import { type GitResult, runGit } from '@attractor/git';
import { scanForSecrets } from '@attractor/redact';
import type { CheckResult } from '@attractor/store';
import { isOneCommit, logSubmodules, readAddedLines, readPatch } from '@attractor/repository';
import type { SecretsCheck } from '@attractor/project-config';

export type SecretsRun = {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly severity: SecretsCheck['severity'];
  readonly signal: AbortSignal;
};

const MAX_BYTES = 8 << 20;
const SHOWN = 20;

/**
 * Searches for keys, tokens and passwords in every line that the branch's commits added, including intermediate commits: what is pushed
 * once can be read forever. A value that is only suspicious by its name is reported and does not fail the check. Never shows a secret.
 */
export async function checkForSecrets({ folder, from, to, severity, signal }: SecretsRun): Promise<CheckResult> {
  const started = performance.now();
  const log = await logOf(folder, { from, to, signal });
  signal.throwIfAborted();
  const result = (passed: boolean, output: string): CheckResult => ({
    name: 'no-secrets',
    command: 'built in',
    phase: 'branch',
    commit: to,
    severity,
    passed,
    exitCode: null,
    durationMs: Math.round(performance.now() - started),
    output,
  });
  if (log.exitCode !== 0) return result(false, `What the branch added could not be read: ${log.stderr.trim()}`);
  const inside = await logSubmodules(folder, { from, to, flags: FLAGS, maxBytes: MAX_BYTES });
  const [certain, likely] = await findings(`${log.stdout}${inside}`);
  const partial = log.truncated ? [`Only the first ${MAX_BYTES >> 20} MB of what was added were searched.`] : [];
  const told = [
    ...list('These lines hold secrets:', certain),
    ...(certain.length > 0 ? [ADVICE] : []),
    ...list('These may hold some; look at them:', likely),
    ...partial,
  ];
  return result(certain.length === 0, told.join('\n'));
}

const FLAGS = ['--format=%x00%H', '--patch', '--unified=0', '--no-renames', '--no-color'];

/** Of one commit it is the change that others want to see as well. */
async function logOf(
  folder: string,
  { from, to, signal }: Pick<SecretsRun, 'from' | 'to' | 'signal'>,
): Promise<Pick<GitResult, 'exitCode' | 'stdout' | 'stderr' | 'truncated'>> {
  if (isOneCommit(folder, { from, to })) {
    const patch = await readPatch(folder, { from, to, maxBytes: MAX_BYTES, signal });
    return { ...patch, stdout: `\0${to}\n${patch.stdout}` };
  }
  const config = { 'core.quotePath': 'false' };
  return runGit(['log', ...FLAGS, `${from}..${to}`], { cwd: folder, signal, maxOutputBytes: MAX_BYTES, config });
}

const ADVICE =
  'Take them out of the files and out of the commits of this branch (amend or rebase, so that no commit holds them), and read them from the environment instead.';

async function findings(log: string): Promise<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> {
  const certain = new Set<string>();
  const likely = new Set<string>();
  for (const { commit, path, lines, numbers } of readAddedLines(log)) {
    for (const finding of await scanForSecrets([{ path, content: lines.join('\n') }])) {
      const place = `${path}:${numbers[finding.line - 1] ?? 1} (${finding.kind}, commit ${commit.slice(0, 9)})`;
      const isCertain = finding.confidence === 'certain' || (await hasOwnShape(lines[finding.line - 1] ?? ''));
      (isCertain ? certain : likely).add(place);
    }
  }
  return [[...certain], [...likely]];
}

/** A value found by its name may also be recognisable by its shape, so it is searched again without the name. */
async function hasOwnShape(line: string): Promise<boolean> {
  const values = line.match(/[\w+/=.~-]{16,}/g) ?? [];
  const found = await scanForSecrets(values.map((content, index) => ({ path: String(index), content })));
  return found.some(({ confidence }) => confidence === 'certain');
}

function list(heading: string, places: ReadonlyArray<string>): ReadonlyArray<string> {
  if (places.length === 0) return [];
  const more = places.length > SHOWN ? [`- and ${places.length - SHOWN} more`] : [];
  return [heading, ...places.slice(0, SHOWN).map((place) => `- ${place}`), ...more];
}
