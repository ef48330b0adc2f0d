import type { Reader, Tx } from '../database/store.ts';
import { unasked } from '../database/unasked.ts';

/**
 * A piece of a file in the folder of a run's agent: the bytes from `start` on, until the next piece or the end. `replaces`: the file was
 * written anew, and its earlier pieces are gone.
 */
export type RunFilePiece = {
  readonly path: string;
  readonly start: number;
  readonly bytes: Buffer;
  readonly replaces: boolean;
};

export async function addRunFiles(tx: Tx, runId: string, pieces: ReadonlyArray<RunFilePiece>): Promise<void> {
  const replaced = pieces.filter(({ replaces }) => replaces).map(({ path }) => path);
  if (replaced.length > 0)
    await tx.deleteFrom('run_files').where('run_id', '=', runId).where('path', 'in', replaced).execute();
  const rows = pieces.map(({ path, start, bytes }) => ({
    run_id: runId,
    path,
    start,
    content: bytes.toString('base64'),
  }));
  if (rows.length > 0) await unasked(tx.insertInto('run_files').values(rows));
}

/** The files, whole, by their paths. */
export async function readRunFiles(db: Reader, runId: string): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await db
    .selectFrom('run_files')
    .select(['path', 'content'])
    .where('run_id', '=', runId)
    .orderBy('path')
    .orderBy('start')
    .execute();
  const files = Map.groupBy(rows, ({ path }) => path);
  return new Map(
    [...files].map(([path, pieces]) => [
      path,
      Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64'))),
    ]),
  );
}

export async function dropRunFiles(tx: Tx, runIds: ReadonlyArray<string>): Promise<void> {
  if (runIds.length > 0) await unasked(tx.deleteFrom('run_files').where('run_id', 'in', runIds));
}
