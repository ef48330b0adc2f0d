import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { newId } from '@attractor/base/id';
import { createRedactor, redactStream, secretValues } from '@attractor/redact';
import { hostVariables } from '../environment-variables.ts';

/**
 * Outputs that are too long for memory, one file per stream. Secrets are removed before a byte is written; files are 0600 in a folder 0700,
 * bounded in size and number; the oldest are removed. A failure here is never a failure of the command.
 */
export type KeptOutputs = {
  /** Nothing is created before the first byte. */
  readonly begin: (stream: 'stdout' | 'stderr') => KeptOutput;
  /** The folder, if the path is a file in it: such files may be read although they are outside the root. */
  readonly folderOf: (asked: string) => string | null;
  /** Removes the folder if it is a temporary one; a given one belongs to the caller. */
  readonly remove: () => void;
};

export type KeptOutput = {
  /** The bytes belong to the caller again when this returns. */
  readonly push: (bytes: Uint8Array) => void;
  /** Null if nothing was kept. */
  readonly end: () => KeptOutputFile | null;
};

export type KeptOutputFile = {
  readonly stream: 'stdout' | 'stderr';
  readonly path: string;
  /** `cut`: the file ends before the output did. */
  readonly extent: 'whole' | 'cut';
};

/** Redaction is expensive: beyond this a flood would delay the command for long. */
const MAX_BYTES = 64 << 20;
const MAX_FILES = 16;
const PREFIX = 'attractor-output-';

/** `secrets`: values to take out besides those of this process. */
export function keepOutputs(given: string | undefined, secrets: () => ReadonlyArray<string> = () => []): KeptOutputs {
  let folder = given !== undefined && existsSync(given) ? realpathSync(given) : null;
  const place = (): string => {
    folder ??= realpathSync(given === undefined ? mkdtempSync(path.join(tmpdir(), PREFIX)) : makeFolder(given));
    return folder;
  };
  return {
    begin: (stream) =>
      keepOne(stream, () => openOutput(path.join(makeRoom(place()), `${newId('out')}-${stream}.txt`), secrets())),
    folderOf: (asked) => (folder !== null && path.dirname(asked) === folder ? folder : null),
    remove: () => {
      if (given !== undefined || folder === null) return;
      rmSync(folder, { recursive: true, force: true });
      folder = null;
    },
  };
}

/** For the model and for people: where the rest is. */
export function describeKept({ stream, path: file, extent }: KeptOutputFile): string {
  const what =
    extent === 'whole' ? `All of ${stream} is` : `The first ${MAX_BYTES >> 20} MB of ${stream}, at most, are`;
  return `[${what} in ${file}: read parts of it with an offset and a limit, or search it.]`;
}

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Names are in order of time. */
function makeRoom(folder: string): string {
  const names = readdirSync(folder).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - MAX_FILES + 1)))
    rmSync(path.join(folder, name), { force: true });
  return folder;
}

function keepOne(stream: KeptOutputFile['stream'], open: () => OutputFile): KeptOutput {
  let file: OutputFile | null = null;
  let extent: KeptOutputFile['extent'] = 'whole';
  const attempt = (write: () => void): void => {
    if (extent === 'cut') return;
    try {
      write();
    } catch {
      extent = 'cut';
    }
  };
  return {
    push: (bytes) =>
      attempt(() => {
        file ??= open();
        if (file.write(bytes) === 'full') extent = 'cut';
      }),
    end: () => {
      attempt(() => file?.finish());
      file?.close();
      return file === null ? null : { stream, path: file.path, extent };
    },
  };
}

type OutputFile = {
  readonly path: string;
  readonly write: (bytes: Uint8Array) => 'written' | 'full';
  readonly finish: () => void;
  readonly close: () => void;
};

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

function openOutput(file: string, secrets: ReadonlyArray<string>): OutputFile {
  const fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  const decoder = new StringDecoder('utf8');
  const clean = redactStream(createRedactor({ secrets: [...secretValues(hostVariables()), ...secrets] }));
  let room = MAX_BYTES;
  return {
    path: file,
    write: (bytes) => {
      writeWhole(fd, clean.push(decoder.write(bytes.subarray(0, room))));
      room -= Math.min(room, bytes.length);
      return room === 0 ? 'full' : 'written';
    },
    finish: () => writeWhole(fd, clean.push(decoder.end()) + clean.end()),
    close: () => closeSync(fd),
  };
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}
