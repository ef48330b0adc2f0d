import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { CompiledRule } from './compile-rule.ts';
import { matchesForms } from './path-unit.ts';
import { matchesPattern } from './path-pattern.ts';
import { pathForms } from './real-path.ts';
import type { ShellPart } from '@attractor/shell';
import type { Unit } from './unit.ts';

/** Commands that list files without showing their contents. */
const TELL_NAMES: ReadonlySet<string> = new Set(
  'basename cd dirname du fd fdfind file find git ls mkdir pwd readlink realpath stat test touch tree'.split(' '),
);

/** Programs that search the folder they run in when they are given none, and the option that makes them, where they need one. */
const SEARCHERS: ReadonlyMap<string, RegExp | null> = new Map([
  ...'ack ack-grep ag pt rg sift ugrep'.split(' ').map((name) => [name, null] as const),
  ...'grep egrep fgrep'.split(' ').map((name) => [name, /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/] as const),
]);
const MOST_FILES = 1_000;
const MOST_ENTRIES = 5_000;

/**
 * What a command names, for rules that deny or ask about reading: every word counts as a file, whether or not the command would take
 * it for one, and a pattern as all the files it fits. A folder that is read through asks when such a file lies in it.
 */
export function namedFileUnits(part: ShellPart, rules: ReadonlyArray<CompiledRule>): ReadonlyArray<Unit> {
  const { cwd } = part;
  const reading = rules.filter(({ rule, kind }) => kind === 'read' && rule.behavior !== 'allow');
  if (reading.length === 0 || cwd === null) return [];
  const words = (part.argv ?? part.words ?? []).flatMap(pathsIn);
  return [...words.map((word) => wordUnit(word, cwd, part)), ...folderUnits(part, { cwd, words, reading })];
}

/** `--file=x` and `-fx` name x; `@x` too, for programs that read their arguments from files. */
function pathsIn(word: string): ReadonlyArray<string> {
  const value = /^(?:-[^=]*=|@)(.+)$/s.exec(word)?.[1];
  const glued = /^-[A-Za-z](.+)$/s.exec(word)?.[1];
  return [word, value, glued].flatMap((one) => (one === undefined || one === '' || one.includes('\0') ? [] : [one]));
}

function wordUnit(word: string, cwd: string, part: ShellPart): Unit {
  const files = /[*?[]/.test(word) ? fitting(word, cwd) : [word];
  const forms = (files ?? []).map((file) => pathForms(cwd, file));
  return {
    part: part.text,
    nature: 'read',
    because: 'it names no file that may not be read',
    speaksOf: ({ rule, kind, content }) =>
      kind === 'read' &&
      rule.behavior !== 'allow' &&
      (content === null
        ? part.targets.length > 0
        : content.kind === 'path' && forms.some((one) => matchesForms(content.pattern, one, rule.behavior))),
    ...(files === null ? { forced: { decision: 'ask', reason: `${word} fits too many files` } } : {}),
  };
}

/** Behind a link the folder above is another one than its words say. */
function asTheKernelGoes(pattern: string, cwd: string): [pattern: string, options: { cwd: string }] {
  const climbed = /^(?:[^*?[]*\/)?\.\.\//.exec(pattern)?.[0];
  const folder = climbed === undefined ? null : pathForms(cwd, climbed).real;
  return folder === null ? [pattern, { cwd }] : [path.join(folder, pattern.slice(climbed?.length)), { cwd }];
}

/** Null if there are too many. */
function fitting(pattern: string, cwd: string): ReadonlyArray<string> | null {
  try {
    const found = globSync(...asTheKernelGoes(pattern, cwd));
    return found.length > MOST_FILES ? null : [pattern, ...found];
  } catch {
    return null;
  }
}

type Searched = {
  readonly cwd: string;
  readonly words: ReadonlyArray<string>;
  readonly reading: ReadonlyArray<CompiledRule>;
};

function folderUnits(part: ShellPart, { cwd, words, reading }: Searched): ReadonlyArray<Unit> {
  const argv = part.argv ?? part.words ?? [];
  if (tellsNames(argv)) return [];
  const targets = part.targets.flatMap(({ path: target, access }) =>
    access === 'read' && target !== null ? [target] : [],
  );
  // What a program that is not in our tables makes of a folder is not known: it may read through it.
  const named = part.effect === 'read' ? targets : [...targets, ...words.slice(1)];
  const folders = new Set(
    named.flatMap((one) => {
      const { kind, asked, real } = pathForms(cwd, one);
      return kind === 'folder' ? [asked, real ?? asked] : [];
    }),
  );
  if (part.effect !== 'read' && part.effect !== 'edit' && searchesHere(argv)) folders.add(cwd);
  if (argv[0] === 'git') folders.add(cwd);
  const reason = 'it reads a folder with files in it that may not be read';
  return [...folders]
    .filter((folder) => mayHold(folder, reading, followsLinks(argv)))
    .map(() => ({
      part: part.text,
      nature: 'read',
      because: reason,
      speaksOf: () => false,
      forced: { decision: 'ask', reason },
    }));
}

function tellsNames([name = '', ...words]: ReadonlyArray<string>): boolean {
  if (name === 'git') return subcommandOf(words) !== 'grep';
  return TELL_NAMES.has(name) && !words.some((word) => RUNS_ON_FILES.test(word));
}

/** Of `find` and `fd`: what is found is handed to another program, which may read it. */
const RUNS_ON_FILES = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

function searchesHere([name = '', ...words]: ReadonlyArray<string>): boolean {
  if (name === 'git') return subcommandOf(words) === 'grep';
  const option = SEARCHERS.get(name);
  return option !== undefined && (option === null || words.some((word) => option.test(word)));
}

function subcommandOf(words: ReadonlyArray<string>): string | undefined {
  return words.find((word) => !word.startsWith('-'));
}

/** How each searcher is told to go through links; what others do is not known. */
const FOLLOWS: ReadonlyMap<string, RegExp> = new Map([
  ...'grep egrep fgrep'.split(' ').map((name) => [name, /^-[a-zA-Z]*R|^--d/] as const),
  ...'rg ugrep'.split(' ').map((name) => [name, /^-[a-zA-Z]*[LRS]|^--(?:follow|deref)/] as const),
]);

function followsLinks([name = '', ...words]: ReadonlyArray<string>): boolean {
  const option = FOLLOWS.get(name);
  return option === undefined || words.some((word) => option.test(word));
}

type Walked = { readonly at: string; readonly behindLink: boolean };

/** Whether a file that a rule speaks of lies below a folder, or there are too many to tell. Each folder behind links is gone through once. */
export function mayHold(folder: string, rules: ReadonlyArray<CompiledRule>, throughLinks: boolean): boolean {
  const left: Walked[] = [{ at: folder, behindLink: false }];
  const seen = new Set([pathForms('/', folder).real]);
  for (let entries = 0; left.length > 0;) {
    const { at, behindLink } = left.pop() ?? { at: folder, behindLink: false };
    const found = entriesOf(at);
    if (found === null) return at !== folder || pathForms('/', folder).real === null;
    entries += found.length;
    if (entries > MOST_ENTRIES) return true;
    for (const entry of found) {
      const one = path.join(at, entry.name);
      const isLink = entry.isSymbolicLink();
      if (rules.some((rule) => speaksOfFile(rule, one, isLink || behindLink))) return true;
      if (entry.isDirectory()) left.push({ at: one, behindLink });
      if (isLink && throughLinks && isNewFolder(one, seen)) left.push({ at: one, behindLink: true });
    }
  }
  return false;
}

function isNewFolder(link: string, seen: Set<string | null>): boolean {
  const { kind, real } = pathForms('/', link);
  if (kind !== 'folder' || seen.has(real)) return false;
  seen.add(real);
  return true;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

function speaksOfFile({ rule, content }: CompiledRule, file: string, isLinked: boolean): boolean {
  if (content?.kind !== 'path') return true;
  return isLinked
    ? matchesForms(content.pattern, pathForms('/', file), rule.behavior)
    : matchesPattern(content.pattern, file, null);
}
