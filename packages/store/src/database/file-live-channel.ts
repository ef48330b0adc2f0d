import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, watch, type FSWatcher } from 'node:fs';
import { appendFile, mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '@attractor/base/random';
import type { LiveChannel } from './live-channel.ts';

/** A file begins anew at this size: it holds what is said now, and the log has the rest. */
const MOST_BYTES = 1_000_000;
/** A disk that does not keep up is no reason to keep what is only live. */
const MOST_WAITING = 200;
const NAME = /^(\d+)-[0-9a-f]+\.jsonl$/;

type Reading = { position: number; rest: Buffer };

/**
 * Live text between the processes of one machine that share an embedded database: each writes a file of its own, and reads those of the
 * others once somebody watches. Nobody polls. Files of processes that are gone are passed over, and removed.
 */
export function fileLiveChannel(folder: string): LiveChannel & { readonly close: () => Promise<void> } {
  const name = `${process.pid}-${randomHex(4)}.jsonl`;
  const own = openOwnFile(join(folder, name), folder);
  const listeners = new Set<(message: string) => void>();
  const readings = new Map<string, Reading>();
  let watcher: FSWatcher | null = null;
  const tell = (message: string): void => {
    for (const listener of listeners) listener(message);
  };
  const look = (file: string): void => {
    if (file === name || !NAME.test(file)) return;
    const reading = readings.get(file) ?? { position: 0, rest: Buffer.alloc(0) };
    readings.set(file, reading);
    for (const message of newLines(join(folder, file), reading)) tell(message);
  };
  return {
    keeps: true,
    send: own.add,
    listen: (listener) => {
      listeners.add(listener);
      if (watcher === null) {
        watcher = watchFolder(folder, look);
        for (const file of livingFiles(folder)) look(file);
      }
      return () => void listeners.delete(listener);
    },
    close: async () => {
      watcher?.close();
      await own.remove();
    },
  };
}

function openOwnFile(path: string, folder: string) {
  let [waiting, size] = [0, -1];
  let last: Promise<unknown> = Promise.resolve();
  const write = async (line: string): Promise<void> => {
    const bytes = Buffer.byteLength(line);
    const isNew = size < 0 || size + bytes > MOST_BYTES;
    try {
      if (size < 0) await mkdir(folder, { recursive: true, mode: 0o700 });
      await (isNew ? writeFile(path, line, { mode: 0o600 }) : appendFile(path, line));
      size = isNew ? bytes : size + bytes;
    } catch {
      // It was only live.
    }
    waiting -= 1;
  };
  return {
    add: (message: string): void => {
      if (waiting >= MOST_WAITING) return;
      waiting += 1;
      last = last.then(() => write(`${message}\n`));
    },
    remove: async (): Promise<void> => {
      await last;
      if (size >= 0) await unlink(path).catch(() => undefined);
    },
  };
}

/** Null where folders can't be watched: then nothing of the others is heard. */
function watchFolder(folder: string, look: (file: string) => void): FSWatcher | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, { persistent: false }, (_event, file) => {
      if (file !== null) look(file);
    });
    return watcher.on('error', () => watcher.close());
  } catch {
    return null;
  }
}

function livingFiles(folder: string): ReadonlyArray<string> {
  return readdirSync(folder).filter((file) => {
    const pid = NAME.exec(file)?.[1];
    if (pid === undefined || isAlive(Number(pid))) return pid !== undefined;
    void unlink(join(folder, file)).catch(() => undefined);
    return false;
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What was added since the last look; a file that became smaller has begun anew. */
function newLines(path: string, reading: Reading): ReadonlyArray<string> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(file);
    if (size < reading.position) Object.assign(reading, { position: 0, rest: Buffer.alloc(0) });
    const bytes = Buffer.alloc(size - reading.position);
    reading.position += readSync(file, bytes, 0, bytes.length, reading.position);
    const whole = Buffer.concat([reading.rest, bytes]);
    const end = whole.lastIndexOf('\n') + 1;
    reading.rest = whole.subarray(end);
    return end === 0
      ? []
      : whole
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n');
  } finally {
    closeSync(file);
  }
}
