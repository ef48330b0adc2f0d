import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { done } from '@attractor/base';
import { createRedactor } from '@attractor/redact';
import { findRun, findTask, refuse, type Result } from '@attractor/store';
import { baseParts } from './base-parts.ts';
import { changeParts } from './change-parts.ts';
import { checkParts } from './check-parts.ts';
import { BUNDLE_VERSION, type BundleEnd, type BundleHeader, type BundlePart } from './format.ts';
import { artifactParts, eventParts, journalParts, rowParts } from './run-parts.ts';
import type { BundleSources, WrittenRun } from './sources.ts';

export type BundleOptions = {
  /** The files of the base go along, so that the run can be run again without its repository. */
  readonly withBase?: boolean;
};

/** A run in any state as the bytes of a bundle, made while they are read: a long run needs no more memory than a short one. */
export async function writeBundle(
  sources: BundleSources,
  runId: string,
  options: BundleOptions = {},
): Promise<Result<AsyncIterable<Uint8Array>>> {
  const run = await findRun(sources.store.read, runId);
  const task = run === null ? null : await findTask(sources.store.read, run.taskId);
  if (run === null || task === null) return refuse('not_found', `There is no run ${runId}.`);
  const redactor = createRedactor({ secrets: sources.secrets });
  const written = { ...sources, run, task, redactor };
  const header: BundleHeader = {
    attractor: 'run',
    v: BUNDLE_VERSION,
    runId,
    madeAt: new Date().toISOString(),
    isFinished: run.status !== 'running',
  };
  return done(bundleBytes(header, withoutSecrets(partsOf(written, options), written)));
}

async function* partsOf(written: WrittenRun, { withBase = false }: BundleOptions): AsyncGenerator<BundlePart> {
  yield* rowParts(written);
  yield* eventParts(written);
  yield* journalParts(written);
  yield* changeParts(written);
  yield* checkParts(written);
  yield* artifactParts(written);
  if (withBase) yield* baseParts(written);
}

/** Pieces of files have lost theirs already, as bytes. */
const PIECES: ReadonlySet<BundlePart['part']> = new Set(['patch', 'check_output', 'base_file']);

async function* withoutSecrets(parts: AsyncIterable<BundlePart>, { redactor }: WrittenRun): AsyncGenerator<BundlePart> {
  for await (const part of parts) yield PIECES.has(part.part) ? part : redactor.value(part);
}

/** Header, parts and end as compressed lines. */
export function bundleBytes(
  header: BundleHeader,
  parts: AsyncIterable<BundlePart> | Iterable<BundlePart>,
): AsyncIterable<Uint8Array> {
  return Readable.from(bundleLines(header, parts)).compose(createGzip());
}

async function* bundleLines(
  header: BundleHeader,
  parts: AsyncIterable<BundlePart> | Iterable<BundlePart>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let lines = 0;
  const take = (value: BundleHeader | BundlePart): Buffer => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    hash.update(line);
    lines++;
    return line;
  };
  yield take(header);
  for await (const part of parts) yield take(part);
  const end: BundleEnd = { end: true, lines, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}
