import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadedBy } from './loaded-files.ts';

export type NamingPlace = {
  readonly root: string;
  /** The folder that a command starts in. Absent: the root. */
  readonly cwd?: string;
};

/**
 * The files of a workspace that command lines name, each by its path from the root: every word that is a file there, what programs run
 * by themselves in a folder (`npm` runs what `package.json` says), every file beside a pattern, and what these load in turn by a path that
 * they spell out (`loadedBy`). Rather too many than one too few: a command may run any of them.
 */
export function namedFiles(texts: ReadonlyArray<string>, { root, cwd = root }: NamingPlace): ReadonlyArray<string> {
  const found = new Set<string>();
  const folders = [...new Set([root, cwd])];
  const left = texts
    .flatMap((text) => wordsOf(text, root))
    .flatMap((word) =>
      folders.flatMap((folder) => filesAt(path.resolve(folder, word), OBEYED_BY[path.basename(word)] ?? [], folder)),
    );
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const name = nameInside(root, file);
    if (name === null || found.has(name)) continue;
    found.add(name);
    if (found.size <= MOST_READ) left.push(...loadedBy(path.join(root, name), folders));
  }
  return [...found].toSorted();
}

/** Beyond this many files none is looked into. */
const MOST_READ = 300;

/** Both names of the project's folder that hooks are given, quotes or not. */
const PROJECT = /\$\{?(?:CLAUDE|ATTRACTOR|GEMINI|CODEX)_PROJECT_DIR\}?|\$\{?PWD\}?/g;

function wordsOf(text: string, root: string): ReadonlyArray<string> {
  const words = text
    .replaceAll(PROJECT, () => root)
    .replaceAll(/["'\\]/g, '')
    .split(/[\s;|&<>()`$]+/);
  return words
    .flatMap((word) => [word, ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [])])
    .filter(Boolean);
}

const MAKE = ['GNUmakefile', 'makefile', 'Makefile'];
const PACKAGE = ['package.json'];

/** What a program obeys in the folder where it starts, by the program's name. */
const OBEYED_BY: Readonly<Record<string, ReadonlyArray<string>>> = {
  npm: PACKAGE,
  pnpm: PACKAGE,
  yarn: PACKAGE,
  bun: PACKAGE,
  make: MAKE,
  just: ['justfile', 'Justfile', '.justfile'],
};

/** What an interpreter runs when it is given a folder. */
const ENTRIES = ['package.json', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', '__main__.py'];

function filesAt(full: string, obeyed: ReadonlyArray<string>, folder: string): ReadonlyArray<string> {
  const more = obeyed.map((name) => path.join(folder, name)).filter((file) => kindOf(file) === 'file');
  if (/[*?[]/.test(path.basename(full))) return [...more, ...beside(path.dirname(full))];
  const kind = kindOf(full);
  if (kind === 'file') return [...more, full];
  if (kind === 'folder')
    return [...more, ...ENTRIES.map((name) => path.join(full, name)).filter((file) => kindOf(file) === 'file')];
  return more;
}

function beside(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder)
      .map((name) => path.join(folder, name))
      .filter((file) => kindOf(file) === 'file');
  } catch {
    return [];
  }
}

function kindOf(file: string): 'file' | 'folder' | null {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() === true ? 'file' : stats?.isDirectory() === true ? 'folder' : null;
  } catch {
    return null;
  }
}

/** Null: neither its path nor what it leads to is in the workspace. */
function nameInside(root: string, file: string): string | null {
  const name = relativeName(root, file);
  if (name !== null) return name;
  try {
    return relativeName(realpathSync(root), realpathSync(file));
  } catch {
    return null;
  }
}

function relativeName(root: string, file: string): string | null {
  const name = path.relative(root, file);
  return name === '' || name.startsWith('..') || path.isAbsolute(name) ? null : name.split(path.sep).join('/');
}
