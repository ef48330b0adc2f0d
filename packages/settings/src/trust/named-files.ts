import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadedBy } from './loaded-files.ts';

export type NamingPlace = {
  readonly root: string;
  /** The folder that a command starts in. Absent: the root. */
  readonly cwd?: string;
};

/**
 * The files of a workspace that command lines name, each by its path from the root: every word that is a file there, seen from the root or
 * from a folder that is named too (`cd tools && sh h.sh`), with the ending that an interpreter adds to it; what programs run by themselves
 * in a folder (`npm` runs what `package.json` says), every file beside a pattern, and what these load in turn by a path that they spell out
 * (`loadedBy`). Rather too many than one too few: a command may run any of them.
 */
export function namedFiles(texts: ReadonlyArray<string>, { root, cwd = root }: NamingPlace): ReadonlyArray<string> {
  const found = new Set<string>();
  const words = [...new Set(texts.flatMap((text) => wordsOf(text, root)))];
  const completed = COMPLETED.filter(({ by }) => words.some((word) => by.test(path.basename(word))));
  const folders = foldersAmong(words, [...new Set([root, cwd])]);
  const left = folders.flatMap((folder) =>
    words.flatMap((word) => [
      ...filesAt(path.resolve(folder, word), OBEYED_BY[path.basename(word)] ?? [], folder),
      ...completed.flatMap(({ names }) =>
        names(word)
          .map((name) => path.resolve(folder, name))
          .filter(isFile),
      ),
    ]),
  );
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const name = nameInside(root, file);
    if (name === null || found.has(name)) continue;
    found.add(name);
    if (found.size <= MOST_READ) left.push(...loadedBy(path.join(root, name), folders));
  }
  return [...found].toSorted();
}

/** Where words may begin: a command may go to a folder first. */
function foldersAmong(words: ReadonlyArray<string>, from: ReadonlyArray<string>): ReadonlyArray<string> {
  const named = from.flatMap((folder) => words.map((word) => path.resolve(folder, word)));
  const inside = named.filter((at) => from.some((folder) => at.startsWith(`${folder}/`)) && kindOf(at) === 'folder');
  return [...new Set([...from, ...inside])].slice(0, MOST_FOLDERS);
}

const MOST_FOLDERS = 20;

/** Interpreters that take a word for a file of another name. */
const COMPLETED: ReadonlyArray<{ readonly by: RegExp; readonly names: (word: string) => ReadonlyArray<string> }> = [
  { by: /^(?:node|deno|bun|tsx|ts-node)$/, names: (word) => ['.js', '.mjs', '.cjs', '.ts'].map((end) => word + end) },
  { by: /^(?:python[\d.]*|pypy\d*|uv|pytest)$/, names: pythonModule },
  { by: /^ruby[\d.]*$/, names: (word) => [`${word}.rb`] },
  { by: /^perl$/, names: (word) => [`${word.replace(/^-M/, '').replaceAll('::', '/')}.pm`] },
];

/** `a.b`: the packages on the way are run as well. */
function pythonModule(word: string): ReadonlyArray<string> {
  if (!/^[a-z_]\w*(?:\.\w+)*$/i.test(word)) return [];
  const parts = word.split('.');
  const packages = parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/__init__.py`);
  const name = parts.join('/');
  return [...packages, `${name}.py`, `${name}/__main__.py`];
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
    .flatMap((word) => [
      word,
      ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []),
      // `-r./x`, `-Ctools`
      ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
    ])
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
  rake: ['Rakefile', 'rakefile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  deno: ['deno.json', 'deno.jsonc'],
  composer: ['composer.json'],
  cargo: ['Cargo.toml', 'build.rs', 'src/main.rs'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  mvn: ['pom.xml'],
  pytest: ['conftest.py'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
  invoke: ['tasks.py'],
};

/** What an interpreter runs when it is given a folder. */
const ENTRIES = ['package.json', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', '__main__.py'];

function filesAt(full: string, obeyed: ReadonlyArray<string>, folder: string): ReadonlyArray<string> {
  const more = obeyed.map((name) => path.join(folder, name)).filter(isFile);
  if (/[*?[]/.test(path.basename(full))) return [...more, ...beside(path.dirname(full))];
  const kind = kindOf(full);
  if (kind === 'file') return [...more, full];
  // A package of Go is all of its folder.
  if (kind === 'folder')
    return [...more, ...ENTRIES.map((name) => path.join(full, name)).filter(isFile), ...goIn(full)];
  return more;
}

function goIn(folder: string): ReadonlyArray<string> {
  const files = beside(folder).filter((file) => file.endsWith('.go'));
  return files.some((file) => path.basename(file) === 'main.go') ? files : [];
}

function isFile(file: string): boolean {
  return kindOf(file) === 'file';
}

function beside(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder)
      .map((name) => path.join(folder, name))
      .filter(isFile);
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
