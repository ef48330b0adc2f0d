import { type GitResult, runGit } from '@attractor/git';
import { scanForSecrets } from '@attractor/redact';
import type { CheckResult } from '@attractor/store';
import { logSubmodules, messageOfOnly, readAddedLines, readMessages, readPatch } from '@attractor/repository';
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
 * Searches for keys, tokens and passwords in every line that the branch's commits added and in what they say, including intermediate
 * commits: what is pushed once can be read forever. A value that is only suspicious by its name is reported and does not fail the check.
 * Never shows a secret.
 */
export async function checkForSecrets({ folder, from, to, severity, signal }: SecretsRun): Promise<CheckResult> {
  const started = performance.now();
  const range = { folder, from, to, signal };
  const log = await logOf(range);
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
  const unread = (told: string): CheckResult =>
    result(false, `What the branch added could not be read: ${told.trim()}`);
  if (log.exitCode !== 0) return unread(log.stderr);
  const inside = await logSubmodules(folder, { from, to, flags: FLAGS, maxBytes: MAX_BYTES });
  const hidden = HIDES.test(`${log.stdout}${inside}`) ? await logHidden(range) : null;
  signal.throwIfAborted();
  if (hidden !== null && hidden.exitCode !== 0) return unread(hidden.stderr);
  const [certain, likely] = await findings([log.stdout, inside, hidden?.stdout ?? '']);
  const isPartial = log.truncated || hidden?.truncated === true;
  const partial = isPartial ? [`Only the first ${MAX_BYTES >> 20} MB of what was added were searched.`] : [];
  const told = [
    ...list('These lines hold secrets:', certain),
    ...(certain.length > 0 ? [ADVICE] : []),
    ...list('These may hold some; look at them:', likely),
    ...partial,
  ];
  return result(certain.length === 0, told.join('\n'));
}

const FLAGS = ['--format=commit %H %P%n%w(0,1,1)%B', '--patch', '--unified=0', '--no-renames', '--no-color'];

/** Of a merge git shows nothing, and of a file that it takes for binary only its name; attributes decide that, and a commit can set them. */
const HIDES = /(?:^|\n)(?:commit \w+ \w+ \w+|Binary files .* differ\n)/;
const UNHIDDEN = [...FLAGS, '-m', '--text'];

type Range = Pick<SecretsRun, 'folder' | 'from' | 'to' | 'signal'>;
type Log = Pick<GitResult, 'exitCode' | 'stdout' | 'stderr' | 'truncated'>;

function indented(message: string): string {
  return message
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n');
}

/** Of one commit it is the change that others want to see as well. */
async function logOf({ folder, from, to, signal }: Range): Promise<Log> {
  const message = messageOfOnly(folder, { from, to });
  if (message === null) return logCommits({ folder, from, to, signal }, FLAGS);
  const patch = await readPatch(folder, { from, to, maxBytes: MAX_BYTES, signal });
  return { ...patch, stdout: `commit ${to}\n${indented(message)}\n${patch.stdout}` };
}

async function logHidden(range: Range): Promise<Log> {
  const log = await logCommits(range, UNHIDDEN);
  const inside = await logSubmodules(range.folder, { ...range, flags: UNHIDDEN, maxBytes: MAX_BYTES });
  return { ...log, stdout: `${log.stdout}\n${inside}` };
}

async function logCommits({ folder, from, to, signal }: Range, flags: ReadonlyArray<string>): Promise<Log> {
  const config = { 'core.quotePath': 'false' };
  return runGit(['log', ...flags, `${from}..${to}`], { cwd: folder, signal, maxOutputBytes: MAX_BYTES, config });
}

const ADVICE =
  'Take them out of the files and out of the commits of this branch (amend or rebase, so that no commit holds them), and read them from the environment instead.';

type Searched = {
  readonly commit: string;
  readonly path: string;
  readonly lines: ReadonlyArray<string>;
  readonly placeOf: (line: number) => string;
};

async function findings(logs: ReadonlyArray<string>): Promise<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> {
  const certain = new Set<string>();
  const likely = new Set<string>();
  for (const { commit, path, lines, placeOf } of logs.flatMap(searchedIn)) {
    for (const finding of await scanForSecrets([{ path, content: lines.join('\n') }])) {
      const place = `${placeOf(finding.line - 1)} (${finding.kind}, commit ${commit.slice(0, 9)})`;
      const isCertain = finding.confidence === 'certain' || (await hasOwnShape(lines[finding.line - 1] ?? ''));
      (isCertain ? certain : likely).add(place);
    }
  }
  return [[...certain], [...likely]];
}

function searchedIn(log: string): ReadonlyArray<Searched> {
  return [
    ...readAddedLines(log).map((added) => ({
      ...added,
      placeOf: (line: number) => `${added.path}:${added.numbers[line] ?? 1}`,
    })),
    ...readMessages(log).map((message) => ({
      ...message,
      path: 'message',
      placeOf: (line: number) => `line ${line + 1} of the message`,
    })),
  ];
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
