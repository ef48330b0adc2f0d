import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { anchorBelow, type AnchoredFolder, anchorToRead } from '@attractor/confine';
import { expandBraces } from './braces.ts';
import { isIgnored, parseIgnoreFile, type IgnoreFile, type PathKind } from './ignore-rules.ts';
import { readWholeText } from '../read/read-raw.ts';

export type FileWalk = {
  readonly root: string;
  /** Relative to the root; '' for the root itself. */
  readonly folder: string;
  /** A glob as in ripgrep: with a '/' it is relative to the folder, otherwise it matches at any depth; '!' excludes. */
  readonly include?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Every file below a folder in order of path, except git's own and ignored files, without following links. */
export async function* walkFiles(walk: FileWalk): AsyncGenerator<string, void> {
  const folder = anchorToRead(walk.root, path.join(walk.root, walk.folder));
  try {
    const above = await ignoreFilesAbove(walk);
    yield* filesIn({ ...walk, verdict: includeRule(walk), held: folder, ignores: above });
  } finally {
    folder.close();
  }
}

type Visit = FileWalk & {
  readonly verdict: Verdict;
  readonly held: AnchoredFolder;
  readonly ignores: ReadonlyArray<IgnoreFile>;
};

async function* filesIn(visit: Visit): AsyncGenerator<string, void> {
  visit.signal?.throwIfAborted();
  const ignores = [...visit.ignores, await ignoreFileOf(visit.root, visit.folder)];
  const entries = await readdir(visit.held.at, { withFileTypes: true }).catch(() => []);
  const names = entries.map((entry) => ({ entry, order: entry.isDirectory() ? `${entry.name}/` : entry.name }));
  for (const { entry } of names.toSorted((a, b) => (a.order < b.order ? -1 : 1))) {
    const name = path.join(visit.folder, entry.name);
    if (entry.name === '.git') continue;
    const kind = entry.isDirectory() ? 'folder' : 'file';
    const isMeant = visit.verdict(name, kind) ?? !isIgnored(ignores, name, kind);
    if (isMeant && entry.isFile()) yield name;
    if (isMeant && entry.isDirectory()) yield* filesBelow(visit, entry.name, ignores);
  }
}

async function* filesBelow(
  visit: Visit,
  name: string,
  ignores: ReadonlyArray<IgnoreFile>,
): AsyncGenerator<string, void> {
  const held = heldOrNull(visit, name);
  if (held === null) return;
  try {
    yield* filesIn({ ...visit, held, ignores, folder: path.join(visit.folder, name) });
  } finally {
    held.close();
  }
}

function heldOrNull(visit: Visit, name: string): AnchoredFolder | null {
  try {
    return anchorBelow(visit.root, visit.held, name);
  } catch {
    return null;
  }
}

/** What a glob requests is searched even if git ignores it; null: git's rules decide. */
type Verdict = (file: string, kind: PathKind) => boolean | null;

function includeRule({ folder, include }: FileWalk): Verdict {
  if (include === undefined) return () => null;
  const leavesOut = include.startsWith('!');
  const rules = parseIgnoreFile(folder, expandBraces(leavesOut ? include.slice(1) : include).join('\n'));
  return (file, kind) => {
    if (isIgnored([rules], file, kind)) return !leavesOut;
    return leavesOut || kind === 'folder' ? null : false;
  };
}

async function ignoreFilesAbove({ root, folder }: FileWalk): Promise<ReadonlyArray<IgnoreFile>> {
  const names = folder === '' ? [] : folder.split('/');
  return Promise.all(names.map((_, index) => ignoreFileOf(root, names.slice(0, index).join('/'))));
}

async function ignoreFileOf(root: string, folder: string): Promise<IgnoreFile> {
  const text = await readWholeText(root, path.join(folder, '.gitignore')).catch(() => '');
  return parseIgnoreFile(folder, text);
}
