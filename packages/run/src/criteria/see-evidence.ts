import { createHash } from 'node:crypto';
import { runGit } from '@attractor/git';
import type { AgentRun, Artifact, CheckResult, Evidence, JudgedEvidence } from '@attractor/store';

/** What evidence is held against: the commit, in a repository that has it, and what is known of it. */
export type EvidenceContext = {
  readonly folder: string;
  readonly commit: string;
  /** Checks that ran on the commit; a command that was allowed is one too. */
  readonly checks: ReadonlyArray<CheckResult>;
  /** Why a command did not run. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly runs: ReadonlyArray<AgentRun>;
  readonly artifacts: ReadonlyArray<Artifact>;
};

type Seen = Pick<JudgedEvidence, 'state' | 'seen'>;

const shown = (seen: string): Seen => ({ state: 'shown', seen });
const claimed = (seen: string): Seen => ({ state: 'claimed', seen });
const refuted = (seen: string): Seen => ({ state: 'refuted', seen });

/** What the server itself sees of a piece of evidence. It runs nothing. */
export async function seeEvidence(evidence: Evidence, context: EvidenceContext): Promise<JudgedEvidence> {
  const { state, seen } = await look(evidence, context);
  return { ...evidence, state, seen: oneLine(seen) };
}

/** It is shown in lists, in a terminal and in a pull request: names of files and outputs are hostile. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 500);
}

async function look(evidence: Evidence, context: EvidenceContext): Promise<Seen> {
  const { check, command, file, run, artifact } = evidence;
  if (check !== undefined) return seeCheck(check, context);
  if (command !== undefined) return seeCommand(command, context);
  if (file !== undefined) return seeFile({ ...evidence, file }, context);
  if (run !== undefined) return seeRun(run, context);
  return seeArtifact(artifact ?? '', context);
}

function seeCheck(name: string, { checks, commit }: EvidenceContext): Seen {
  const result = checks.findLast((one) => one.name === name && one.commit === commit);
  if (result !== undefined) return seeResult(`check ${name}`, result);
  const names = [...new Set(checks.filter((one) => one.commit === commit).map((one) => one.name))];
  const ran = names.length === 0 ? 'none did' : `${names.join(', ')} did`;
  return claimed(`check ${name} has not run on ${short(commit)}; ${ran}`);
}

function seeResult(what: string, { passed, exitCode, commit, output }: CheckResult): Seen {
  if (passed) return shown(`${what} passes on ${short(commit)}`);
  const last = output.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  const end = exitCode === null ? 'did not end by itself' : `ended with ${exitCode}`;
  return refuted(`${what} ${end} on ${short(commit)}${last === '' ? '' : `: ${last}`}`);
}

function seeCommand(command: string, { checks, commit, refusals }: EvidenceContext): Seen {
  const result = checks.findLast((one) => one.command === command && one.commit === commit);
  if (result !== undefined) return seeResult(`\`${command}\``, result);
  return claimed(
    `\`${command}\` was not run again: ${refusals.get(command) ?? 'the next run, or "attractor checks run", runs it'}`,
  );
}

async function seeFile(
  { file, line, contains, sha256 }: Evidence & { readonly file: string },
  { folder, commit }: EvidenceContext,
): Promise<Seen> {
  const at = `${file} in ${short(commit)}`;
  if (!isInTree(file)) return refuted(`${file} is not a path in the repository`);
  const {
    exitCode,
    stdout: text,
    truncated,
  } = await runGit(['cat-file', 'blob', `${commit}:${file}`], { cwd: folder });
  if (exitCode !== 0) return refuted(`there is no file ${at}`);
  if (truncated || (sha256 !== undefined && text.includes(UNREADABLE)))
    return claimed(`${at} is there, but is not text that can be compared`);
  if (sha256 !== undefined && hashOf(text) !== sha256.toLowerCase())
    return refuted(`${at} has different content: sha256 ${hashOf(text)}`);
  const lines = text.split('\n');
  const where = line === undefined ? at : `line ${line} of ${at}`;
  const part = line === undefined ? text : lines[line - 1];
  if (part === undefined) return refuted(`${at} has ${lines.length} lines, and no line ${line ?? ''}`);
  if (contains !== undefined && !part.includes(contains))
    return refuted(`${where} does not contain ${JSON.stringify(contains)}`);
  return shown(contains === undefined ? `${where} is there` : `${where} contains ${JSON.stringify(contains)}`);
}

/** Stands for bytes that are no UTF-8. */
const UNREADABLE = '\uFFFD';

/** As git names files: from the top of the repository, never out of it. */
function isInTree(file: string): boolean {
  return !file.startsWith('/') && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function seeRun(name: string, { runs }: EvidenceContext): Seen {
  const run = runs.find(({ id, key }) => id === name || key === name);
  if (run === undefined) return refuted(`the task has no run ${name}`);
  if (run.status !== 'completed') return refuted(`the run ${run.key} is ${run.status}`);
  const own = run.checks.filter(({ phase }) => phase === 'branch');
  const failing = own.find(({ passed }) => !passed);
  if (failing !== undefined) return refuted(`check ${failing.name} fails in the run ${run.key}`);
  if (own.length === 0) return claimed(`the run ${run.key} was successful, but no check ran in it`);
  return shown(`the run ${run.key} was successful, with ${own.map(({ name: check }) => check).join(', ')}`);
}

function seeArtifact(name: string, { artifacts }: EvidenceContext): Seen {
  const found = artifacts.find(({ id, key, label }) => id === name || key === name || label === name);
  if (found === undefined) return refuted(`the task has no artifact ${name}`);
  return claimed(`the ${found.type} ${found.label} is there: a person has to read it`);
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
