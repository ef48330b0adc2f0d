import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isOrphaned, ownMark } from '@attractor/system';
import { namesIn } from '../containment/list-folder.ts';
import { LAUNCHER } from './launch-text.ts';
import { systemCallFilter } from './system-calls.ts';

/**
 * A sandbox's own folder on the host, private to its owner. `tmp` and `varTmp` are what its processes see as /tmp and /var/tmp, and persist
 * between commands; the rest is out of their reach.
 */
export type PrivateFolder = {
  readonly at: string;
  readonly tmp: string;
  readonly varTmp: string;
  readonly emptyFile: string;
  /** Null if there is no filter for this machine. */
  readonly filter: string | null;
  readonly launcher: string;
  readonly remove: () => void;
};

const PREFIX = 'attractor-sandbox-';
const searched = new Set<string>();

/** Folders of killed processes, which nobody else removes: with the first of this process, whatever they worked on. */
function removeAbandoned(parent: string): void {
  if (searched.has(parent)) return;
  searched.add(parent);
  for (const name of namesIn(parent)) {
    const owner = /^attractor-sandbox-(\w+-\w+-\w+)-\w+$/.exec(name)?.[1];
    const at = path.join(parent, name);
    if (owner !== undefined && isOrphaned(inBase(owner, 36, 10)) && isOurs(at))
      rmSync(at, { recursive: true, force: true, maxRetries: 2 });
  }
}

/** A mark in other digits: sockets are made in these folders, and their paths must be short. */
function inBase(mark: string, from: number, to: number): string {
  return mark
    .split('-')
    .map((number) => Number.parseInt(number, from).toString(to))
    .join('-');
}

function isOurs(at: string): boolean {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

export function makePrivateFolder(parent: string = tmpdir()): PrivateFolder {
  removeAbandoned(parent);
  const at = mkdtempSync(path.join(parent, `${PREFIX}${inBase(ownMark(), 10, 36)}-`));
  const place = (name: string): string => path.join(at, name);
  mkdirSync(place('tmp'), { mode: 0o700 });
  mkdirSync(place('var-tmp'), { mode: 0o700 });
  writeFileSync(place('empty'), '', { mode: 0o400 });
  writeFileSync(place('launch'), LAUNCHER, { mode: 0o600 });
  const filter = systemCallFilter();
  if (filter !== null) writeFileSync(place('filter'), filter, { mode: 0o600 });
  return {
    at,
    tmp: place('tmp'),
    varTmp: place('var-tmp'),
    emptyFile: place('empty'),
    filter: filter === null ? null : place('filter'),
    launcher: place('launch'),
    remove: () => rmSync(at, { recursive: true, force: true, maxRetries: 2 }),
  };
}
