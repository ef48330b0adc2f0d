import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { realDisk, writeAll } from '@attractor/system';
import { newId } from '@attractor/base/id';
import { sideFolder } from '../journal/side-files.ts';
import { subagentJournal } from '../journal/subagent-journals.ts';
import { folderOf, journalOf, sessionsFolder } from './place.ts';

/** A journal under construction, and the folder for its large strings. */
export type JournalDraft = { readonly blobs: string; readonly write: (line: string) => void };

/** A session under construction: in a temporary folder that gets its name only when everything is written and synced. */
export type SessionDraft = JournalDraft & {
  /** The journal of a subagent. Those started before are complete. */
  readonly subagent: (name: string) => JournalDraft;
  /** Moves it to its place. Throws EEXIST or ENOTEMPTY if the id was taken meanwhile. */
  readonly publish: (id: string) => void;
  /** Removes what was written, unless it was published. */
  readonly discard: () => void;
};

const BUFFER_BYTES = 1 << 20;

export function draftSession(home: string): SessionDraft {
  const folder = path.join(sessionsFolder(home), `.${newId('new')}`);
  const file = path.join(folder, path.basename(journalOf(home, 'any')));
  const own = draftJournal(file);
  let child: OpenJournal | null = null;
  const endChild = (): void => {
    child?.finish();
    child?.close();
    child = null;
  };
  return {
    blobs: own.blobs,
    write: own.write,
    subagent: (name) => {
      endChild();
      child = draftJournal(subagentJournal(file, name));
      return child;
    },
    publish: (id) => {
      endChild();
      own.finish();
      realDisk.syncFolder(folder);
      renameSync(folder, folderOf(home, id));
      realDisk.syncFolder(sessionsFolder(home));
    },
    discard: () => {
      child?.close();
      own.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type OpenJournal = JournalDraft & { readonly finish: () => void; readonly close: () => void };

function draftJournal(file: string): OpenJournal {
  const blobs = sideFolder(file);
  mkdirSync(blobs, { recursive: true, mode: 0o700 });
  const fd = openSync(file, 'wx', 0o600);
  let waiting: string[] = [];
  let size = 0;
  let open = true;
  const flush = (): void => {
    writeAll(realDisk, fd, Buffer.from(waiting.join('')));
    waiting = [];
    size = 0;
  };
  return {
    blobs,
    write: (line) => {
      waiting.push(line);
      size += line.length;
      if (size > BUFFER_BYTES) flush();
    },
    finish: () => {
      flush();
      fsyncSync(fd);
      realDisk.syncFolder(blobs);
      realDisk.syncFolder(path.dirname(file));
    },
    close: () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
}
