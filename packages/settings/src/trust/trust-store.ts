import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord, messageOf } from '@attractor/base';
import { lockFiles, writeDurably } from '@attractor/system';

/** One state of a repository's executable configuration that a person trusted. */
export type TrustedState = { readonly hash: string; readonly at: string };

/**
 * `<home>/trust.json`: which states of which repositories a person trusted, newest last. Only this user can read or write it; it is
 * replaced as a whole, under a lock. The trusted texts are beside it, one file per state, to show what changed since.
 */
export type TrustRecords = Readonly<Record<string, ReadonlyArray<TrustedState>>>;

export type StoredTrust =
  | { readonly ok: true; readonly records: TrustRecords }
  | { readonly ok: false; readonly message: string };

/** Branches of one repository may differ; beyond this many states the oldest are dropped. */
const MAX_STATES = 16;

export function readTrust(home: string): StoredTrust {
  const file = path.join(home, 'trust.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return { ok: true, records: {} };
    return { ok: false, message: `${file} can't be read (${messageOf(error)}): nothing is trusted until it can be.` };
  }
  try {
    const records = recordsOf(JSON.parse(text));
    if (records !== null) return { ok: true, records };
  } catch {
    // Reported below, like any other text that is not ours.
  }
  return {
    ok: false,
    message: `${file} is not in the form that this program writes: nothing is trusted. Remove it to start again.`,
  };
}

/** Changes the records under the lock; returns a message if that was not possible. */
export async function changeTrust(
  home: string,
  change: (records: TrustRecords) => TrustRecords,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }> {
  const file = path.join(home, 'trust.json');
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const lock = await lockFiles([file]);
    try {
      const stored = readTrust(home);
      if (!stored.ok) return stored;
      writeDurably(file, `${JSON.stringify({ version: 1, repositories: change(stored.records) }, null, 2)}\n`);
      return { ok: true };
    } finally {
      lock.release();
    }
  } catch (error) {
    return { ok: false, message: `${file} could not be written (${messageOf(error)}): nothing was changed.` };
  }
}

export function withState(records: TrustRecords, key: string, state: TrustedState): TrustRecords {
  const others = (records[key] ?? []).filter(({ hash }) => hash !== state.hash);
  return { ...records, [key]: [...others, state].slice(-MAX_STATES) };
}

/** The texts of a state, by path; empty if they are gone. */
export function readTexts(home: string, hash: string): ReadonlyMap<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(textsFile(home, hash), 'utf8'));
    const entries = isRecord(value) ? Object.entries(value) : [];
    return new Map(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])));
  } catch {
    return new Map();
  }
}

/** Throws file system errors. */
export function keepTexts(home: string, hash: string, texts: ReadonlyMap<string, string>): void {
  const file = textsFile(home, hash);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeDurably(file, JSON.stringify(Object.fromEntries(texts)));
}

function textsFile(home: string, hash: string): string {
  return path.join(home, 'trust', `${hash}.json`);
}

function recordsOf(value: unknown): TrustRecords | null {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['repositories'])) return null;
  const entries = Object.entries(value['repositories']);
  if (!entries.every((entry): entry is [string, ReadonlyArray<TrustedState>] => areStates(entry[1]))) return null;
  return Object.fromEntries(entries);
}

function areStates(value: unknown): value is ReadonlyArray<TrustedState> {
  return (
    Array.isArray(value) &&
    value.every(
      (state) => isRecord(state) && /^[0-9a-f]{64}$/.test(String(state['hash'])) && typeof state['at'] === 'string',
    )
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
