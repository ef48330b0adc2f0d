import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The address of a home folder's server, for commands on the same machine. Written once it listens, removed when it closes. It may be
 * outdated: a reader asks the server itself for a proof before it believes the address.
 */
export type ServerRecord = { readonly url: string; readonly pid: number };

export async function writeServerRecord(home: string, record: ServerRecord): Promise<void> {
  const file = fileIn(home);
  await writeFile(`${file}.${record.pid}`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(`${file}.${record.pid}`, file);
}

/** Null if it names no living process; a dead one left its record behind. */
export async function readServerRecord(home: string): Promise<ServerRecord | null> {
  const record = await readFile(fileIn(home), 'utf8').then(parseRecord, () => null);
  return record !== null && isAlive(record.pid) ? record : null;
}

/** The record of another server, which started later, stays. */
export async function removeServerRecord(home: string, pid: number): Promise<void> {
  const record = await readFile(fileIn(home), 'utf8').then(parseRecord, () => null);
  if (record?.pid === pid) await rm(fileIn(home), { force: true });
}

function fileIn(home: string): string {
  return join(home, 'server.json');
}

function parseRecord(text: string): ServerRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('url' in value) || !('pid' in value)) return null;
    const { url, pid } = value;
    return typeof url === 'string' && typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0
      ? { url, pid }
      : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
