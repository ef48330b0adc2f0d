import { defined } from '@attractor/base';
import type { LeftOutKey } from './log.ts';
import { quotePath, type PathKey } from './path-bytes.ts';
import type { Candidate } from './scan.ts';
import { gitError, type Store } from './store.ts';

type AddLimits = { readonly deadline: number; readonly signal?: AbortSignal | undefined };

/** Enough at once that a first snapshot needs few processes, few enough to respect the time limit. */
const CHUNK_FILES = 5_000;
const CHUNK_BYTES = 64 << 20;
/** From this many files on new contents go into one pack instead of a file each. */
const PACK_FROM_FILES = 200;

/**
 * Updates the index to the candidates' current contents; removed files come first, so that a folder can replace a file. Returns what could
 * not be stored in time or at all; those paths are then stale in the index.
 */
export async function addToIndex(
  store: Store,
  files: ReadonlyArray<Candidate>,
  haste: AddLimits,
): Promise<LeftOutKey[]> {
  const left: LeftOutKey[] = [];
  const gone = files.filter(({ standing }) => standing === 'gone');
  await removeFromIndex(
    store,
    gone.map(({ path }) => path),
  );
  const there = files.filter(({ standing }) => standing !== 'gone');
  for (const chunk of chunksOf(there)) left.push(...(await addChunk(store, chunk, haste)));
  return left;
}

export async function removeFromIndex(store: Store, paths: ReadonlyArray<PathKey>): Promise<void> {
  if (paths.length === 0) return;
  await store.git(['update-index', '--force-remove', '--stdin'], { stdin: toLines(paths) });
}

/** One file that git can't read must not affect the others: a refused chunk is halved until it is found. */
async function addChunk(store: Store, chunk: ReadonlyArray<Candidate>, haste: AddLimits): Promise<LeftOutKey[]> {
  const timeoutMs = Math.ceil(haste.deadline - performance.now());
  if (timeoutMs <= 0) return chunk.map(({ path }) => ({ path, reason: 'time' }));
  const args = ['update-index', '--add', '--remove', '--replace', '--stdin'];
  const result = await store.tryGit(args, {
    stdin: toLines(chunk.map(({ path }) => path)),
    timeoutMs,
    ...defined({ signal: haste.signal }),
    ...(chunk.length >= PACK_FROM_FILES ? { config: { 'core.bigFileThreshold': '1' } } : {}),
  });
  if (result.exitCode === 0) return [];
  if (result.failure === 'timeout') return chunk.map(({ path }) => ({ path, reason: 'time' }));
  const error = gitError(args, result);
  const isTheStore = error.code === 'no_space' || result.stderr.includes(store.gitDir);
  if (result.failure !== undefined || isTheStore) throw error;
  if (chunk.length === 1) return chunk.map(({ path }) => ({ path, reason: 'unreadable' }));
  const middle = Math.ceil(chunk.length / 2);
  const first = await addChunk(store, chunk.slice(0, middle), haste);
  return [...first, ...(await addChunk(store, chunk.slice(middle), haste))];
}

function* chunksOf(files: ReadonlyArray<Candidate>): Generator<ReadonlyArray<Candidate>> {
  let chunk: Candidate[] = [];
  let bytes = 0;
  for (const file of files) {
    if (chunk.length > 0 && (chunk.length >= CHUNK_FILES || bytes + file.bytes > CHUNK_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(file);
    bytes += file.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

function toLines(paths: ReadonlyArray<PathKey>): string {
  return paths.map((path) => `${quotePath(path)}\n`).join('');
}
