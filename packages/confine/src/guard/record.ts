import { lstatSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { newId } from '@attractor/base/id';
import { isOrphaned, ownMark } from '@attractor/system';
import { entryAt, namesIn } from '../containment/list-folder.ts';

/** All that was there when the last command began. */
export type KnownFiles = {
  readonly names: ReadonlyArray<string>;
  readonly harm: ReadonlyArray<string>;
  readonly gits: ReadonlyArray<{ readonly at: string; readonly fixed: ReadonlyArray<string> }>;
  /** What settings of git name and nobody made. */
  readonly named: ReadonlyArray<string>;
};

/**
 * Written before a command starts and touched while it runs: what was there, and until when commands ran. A process that is killed leaves
 * it behind; the next one finds by it what the last command made.
 */
export type GuardRecord = {
  readonly write: (known: KnownFiles) => void;
  readonly touch: () => void;
  readonly remove: () => void;
};

export type RecordPlace = {
  /** Absent: a folder of this user's among the temporary ones. */
  readonly folder: string | undefined;
  readonly roots: ReadonlyArray<string>;
  /** The sandbox's own folder, which nobody else removes. */
  readonly own: () => string | null;
};

export function createRecord({ folder = usualFolder(), roots, own }: RecordPlace): GuardRecord {
  const file = path.join(folder, `${newId('sandbox')}@${ownMark()}.json`);
  const startedAt = Date.now();
  let written = '';
  const touch = (): void => {
    const now = new Date();
    try {
      if (written !== '') utimesSync(file, now, now);
    } catch {
      written = '';
    }
  };
  return {
    write: (known) => {
      const text = JSON.stringify({ roots, own: own(), startedAt, ...known });
      if (text === written) return touch();
      if (!isOurFolder(folder)) return;
      writeFileSync(file, text, { mode: 0o600 });
      written = text;
    },
    touch,
    remove: () => rmSync(file, { force: true }),
  };
}

/** What a killed process knew, and until when its commands ran. */
export type LeftRecord = KnownFiles & {
  readonly roots: ReadonlyArray<string>;
  readonly own: string | null;
  /** Whether a file came to its place while commands ran. */
  readonly isOfThen: (at: string) => boolean;
  readonly remove: () => void;
};

/** Of killed processes whose sandbox had one of these roots. */
export function leftRecords({ folder = usualFolder(), roots }: Omit<RecordPlace, 'own'>): ReadonlyArray<LeftRecord> {
  return namesIn(folder).flatMap((name) => {
    const owner = /^sandbox_\w+@(.+)\.json$/.exec(name)?.[1];
    if (owner === undefined || !isOrphaned(owner) || !isOurFolder(folder)) return [];
    const file = path.join(folder, name);
    const left = readLeft(file);
    return left === null || left.roots.some((root) => roots.includes(root)) ? (left ?? []) : [];
  });
}

/** From one sign of life to the next, with room. */
const BEAT_MS = 5_000;
/** The kernel's clock for files lags behind. */
const LAG_MS = 20;

function readLeft(file: string): LeftRecord | null {
  try {
    const told: KnownFiles & { roots: string[]; own: string | null; startedAt: number } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const until = statSync(file).mtimeMs + BEAT_MS;
    const isThen = (ms: number): boolean => ms >= told.startedAt - LAG_MS && ms <= until;
    const isOf = (stats: Stats | undefined): boolean =>
      stats !== undefined && (isThen(stats.ctimeMs) || isThen(stats.birthtimeMs));
    return {
      ...told,
      isOfThen: (at) => isOf(entryAt(at)),
      remove: () => rmSync(file, { force: true }),
    };
  } catch {
    rmSync(file, { force: true });
    return null;
  }
}

function usualFolder(): string {
  return path.join(tmpdir(), `attractor-sandboxes-${userInfo().uid}`);
}

/** Made where it is missing; one that somebody else made for us is not believed. */
function isOurFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
