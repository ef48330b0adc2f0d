import { isDeepStrictEqual } from 'node:util';
import type { AgentRun, CheckResult } from '@attractor/store';
import { bytesOfPiece } from './pieces.ts';
import type { Bundle } from './read-bundle.ts';

/** What came of a run, as far as it can be had again. */
type Came = {
  readonly run: Pick<AgentRun, 'status' | 'outcome' | 'payload' | 'error'> | null;
  readonly files: ReadonlyMap<string, string>;
  readonly checks: ReadonlyMap<string, Pick<CheckResult, 'passed' | 'exitCode'>>;
};

/** One line for each thing that is not the same; none if both runs came to the same. */
export async function compareRuns(recorded: Bundle, again: Bundle): Promise<ReadonlyArray<string>> {
  const [then, now] = [await whatCame(recorded), await whatCame(again)];
  return [...runDifferences(then, now), ...fileDifferences(then, now), ...checkDifferences(then, now)];
}

async function whatCame(bundle: Bundle): Promise<Came> {
  let run: Came['run'] = null;
  const patch: Buffer[] = [];
  const checks = new Map<string, CheckResult>();
  for await (const part of bundle.parts()) {
    if (part.part === 'run') run = part.value;
    if (part.part === 'patch' && part.of === 'whole') patch.push(bytesOfPiece(part));
    if (part.part === 'check') checks.set(`${part.value.command} (${part.value.phase})`, part.value);
  }
  return { run, files: filesOf(Buffer.concat(patch).toString('latin1')), checks };
}

const FILE = /^diff --git /m;

/** The part of each file, by its first line. */
function filesOf(patch: string): ReadonlyMap<string, string> {
  const parts = patch.split(FILE).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]));
}

function* runDifferences({ run: then }: Came, { run: now }: Came): Generator<string> {
  for (const name of ['status', 'outcome'] as const)
    if (then?.[name] !== now?.[name]) yield `${name}: ${then?.[name] ?? 'none'} then, ${now?.[name] ?? 'none'} now`;
  if (then?.error === null && typeof now?.error === 'string') yield `error: ${now.error}`;
  if (!isDeepStrictEqual(then?.payload ?? null, now?.payload ?? null))
    yield 'payload: what was reported is not the same';
}

function* fileDifferences({ files: then }: Came, { files: now }: Came): Generator<string> {
  for (const [name, part] of then)
    if (now.get(name) !== part)
      yield now.has(name) ? `diff: ${name} is changed otherwise` : `diff: ${name} is not changed now`;
  for (const name of now.keys()) if (!then.has(name)) yield `diff: ${name} is changed only now`;
}

function* checkDifferences({ checks: then }: Came, { checks: now }: Came): Generator<string> {
  for (const [name, { passed, exitCode }] of then) {
    const other = now.get(name);
    if (other === undefined) yield `check: ${name} did not run now`;
    else if (other.passed !== passed || other.exitCode !== exitCode)
      yield `check: ${name} ended with ${exitCode ?? 'no exit code'} then, with ${other.exitCode ?? 'none'} now`;
  }
}
