import { posix } from 'node:path';
import type { Disk } from './disk.ts';
import { kernelPath } from './kernel-path.ts';
import { matchesGlob } from './matching.ts';

/** A file that a glob fits, as the shell would write it out and as it really is. */
export type Match = { readonly text: string; readonly path: string; readonly real: string | null };

const MOST_MATCHES = 5_000;
const MOST_LOOKED_AT = 20_000;

/**
 * What a glob becomes, as bash expands it unless it was told otherwise: hidden names only for a pattern that begins with a dot, and the
 * pattern itself where nothing fits. Sets in brackets fit any character, since locales differ on them: that is a file too many rather
 * than one too few, and so the pattern itself always counts. Null: too many to look at.
 */
export function expandGlob(text: string, cwd: string, disk: Disk): ReadonlyArray<Match> | null {
  const asked = text.startsWith('/') ? text : `${cwd}/${text}`;
  const literal = { text, path: kernelPath(text, cwd, disk) ?? posix.resolve(cwd, text), real: disk.realpath(asked) };
  const walked = walkGlob(text, cwd, disk);
  return walked === null ? null : [...walked.found, literal];
}

/** The folders that the shell reads for names that the glob fits. Null: too many to look at. */
export function foldersOfGlob(text: string, cwd: string, disk: Disk): ReadonlyArray<Match> | null {
  return walkGlob(text, cwd, disk)?.folders ?? null;
}

type Walked = { readonly found: ReadonlyArray<Match>; readonly folders: ReadonlyArray<Match> };

function walkGlob(text: string, cwd: string, disk: Disk): Walked | null {
  const absolute = text.startsWith('/');
  const names = text.split('/').filter((name) => name !== '');
  const start = absolute ? '/' : cwd;
  const seen = { entries: 0 };
  const folders: Match[] = [];
  let found: ReadonlyArray<Match> = [{ text: absolute ? '/' : '', path: start, real: disk.realpath(start) }];
  for (const [at, name] of names.entries()) {
    const isGlob = /[*?[]/.test(name);
    if (isGlob) folders.push(...found);
    const next = isGlob
      ? found.flatMap((folder) => fitting(folder, name, { disk, seen, isLast: at === names.length - 1 }))
      : found.map((folder) => below(folder, name, disk));
    if (seen.entries > MOST_LOOKED_AT || next.length > MOST_MATCHES) return null;
    found = next;
  }
  return { found, folders };
}

function below(folder: Match, name: string, disk: Disk): Match {
  const real = disk.realpath(`${folder.real ?? folder.path}/${name}`);
  // Behind a link the folder above is another one than its words say.
  const path = name === '..' && real !== null ? real : posix.join(folder.path, name);
  return { text: joined(folder.text, name), path, real };
}

function joined(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

type Looking = { readonly disk: Disk; readonly seen: { entries: number }; readonly isLast: boolean };

function fitting(folder: Match, glob: string, { disk, seen, isLast }: Looking): ReadonlyArray<Match> {
  if (seen.entries > MOST_LOOKED_AT) return [];
  const entries = disk.list(folder.path) ?? [];
  seen.entries += entries.length;
  return entries.flatMap(({ name, kind }) => {
    if (name.startsWith('.') && !glob.startsWith('.')) return [];
    if ((!isLast && kind !== 'folder' && kind !== 'link') || !matchesGlob(glob, name)) return [];
    const path = posix.join(folder.path, name);
    const real = kind === 'link' || folder.real === null ? disk.realpath(path) : posix.join(folder.real, name);
    return [{ text: joined(folder.text, name), path, real }];
  });
}

/** A set of plain characters stands for no other. */
export function mayBeOption(glob: string): boolean {
  return /^[*?[-]/.test(glob) && !/^\[\w+\]/.test(glob);
}

export function whyOption(glob: string): string {
  return `${glob} may stand for an option${/^[*?[]/.test(glob) ? `, ./${glob} does not` : ''}`;
}
