import type { Stats } from 'node:fs';
import { cp, lstat, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { addRunFiles, readRunFiles, type RunFilePiece, type Tx } from '@attractor/store';
import { statePath } from './01-prepare.ts';
import type { RunContext } from '../run-context/run-context.ts';

/**
 * Where the run's agent keeps what it needs in order to continue. In a database that machines share, each claim has a folder of its own:
 * a worker that was frozen may still have the earlier one open when it thaws.
 */
export function agentFolder(context: RunContext): string {
  return isShared(context) ? join(statePath(context), `claim-${context.claim.fence}`) : statePath(context);
}

/** Whether other machines may continue the run. */
function isShared({ services }: Pick<RunContext, 'services'>): boolean {
  return services.store.dialect === 'postgres';
}

/** What an agent leaves for itself in this process only, or for people. */
const NOT_REMEMBERED = /(?:^|\/)(?:checks|outputs|shells|undo|claim-\d+)(?:\/|$)|\.lock(?:\.|$)/;
/** Files that only grow: their new end is a piece of its own. */
const GROWS = /\.(?:jsonl|txt)$/;

/** What is new in an agent's folder: `write` adds it in a transaction, `keep` is called once that is committed. */
export type FolderChange = { readonly write: (tx: Tx) => Promise<void>; readonly keep: () => void };

const NO_CHANGE: FolderChange = { write: async () => undefined, keep: () => undefined };

/**
 * Copies what an agent keeps into the database together with what is recorded of it, so that the log never says more than a worker
 * elsewhere remembers. The files are read before the transaction, which others wait for. Does nothing for a database of a single machine.
 */
export function followFolder(context: RunContext): () => Promise<FolderChange> {
  if (!isShared(context)) return async () => NO_CHANGE;
  const folder = agentFolder(context);
  const known = new Map<string, Seen>();
  return async () => {
    const pieces: RunFilePiece[] = [];
    const seen: Array<readonly [string, Seen]> = [];
    for (const file of await listFiles(folder)) {
      const piece = await newPiece(folder, file, known.get(file.path));
      if (piece === null) continue;
      pieces.push(piece);
      seen.push([file.path, { end: piece.start + piece.bytes.length, changed: file.changed }]);
    }
    return {
      write: (tx) => addRunFiles(tx, context.state.run.id, pieces),
      keep: () => seen.forEach(([path, as]) => known.set(path, as)),
    };
  };
}

type Seen = { readonly end: number; readonly changed: number };
type FoundFile = { readonly path: string; readonly bytes: number; readonly changed: number };

async function newPiece(folder: string, file: FoundFile, seen: Seen | undefined): Promise<RunFilePiece | null> {
  if (seen !== undefined && seen.end === file.bytes && (seen.changed === file.changed || GROWS.test(file.path)))
    return null;
  const hasGrown = seen !== undefined && GROWS.test(file.path) && file.bytes > seen.end;
  const start = hasGrown ? seen.end : 0;
  const bytes = Buffer.alloc(file.bytes - start);
  const handle = await open(join(folder, file.path)).catch(() => null);
  // It was there only for a moment.
  if (handle === null) return null;
  try {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return { path: file.path, start, bytes: bytes.subarray(0, bytesRead), replaces: !hasGrown };
  } finally {
    await handle.close();
  }
}

async function listFiles(root: string, folder = root): Promise<ReadonlyArray<FoundFile>> {
  const found: FoundFile[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const at = join(folder, name);
    const path = relative(root, at);
    const stats: Stats | null = NOT_REMEMBERED.test(path) ? null : await lstat(at).catch(() => null);
    if (stats?.isDirectory() === true) found.push(...(await listFiles(root, at)));
    else if (stats?.isFile() === true) found.push({ path, bytes: stats.size, changed: stats.mtimeMs });
  }
  return found;
}

/**
 * Puts what the agent remembers into the folder of this claim: from the database or, if the run was begun by a version that kept it only
 * there, from the run's own folder. False: it remembers nothing.
 */
export async function fillFolder(context: RunContext): Promise<boolean> {
  if (!isShared(context)) return false;
  const folder = agentFolder(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = await readRunFiles(context.services.store.read, context.state.run.id);
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, path), bytes, { mode: 0o600 });
  }
  if (files.size > 0) return true;
  const left = await listFiles(statePath(context));
  for (const { path } of left) await cp(join(statePath(context), path), join(folder, path));
  return left.length > 0;
}
