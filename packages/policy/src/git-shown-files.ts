import path from 'node:path';
import type { GitShown, ShellPart } from '@attractor/shell';
import type { Variables } from '@attractor/system';
import type { CompiledRule } from './compile-rule.ts';
import { mayHold } from './named-files.ts';
import { matchesPattern } from './path-pattern.ts';
import { pathForms } from './real-path.ts';
import type { Unit } from './unit.ts';

type Asking = {
  readonly rules: ReadonlyArray<CompiledRule>;
  readonly variables: Variables;
  readonly shows: (words: ReadonlyArray<string>) => GitShown | null;
  /** Git obeys nothing of a stranger for this part: it may be asked what it would print. */
  readonly isHarmless: (part: ShellPart) => boolean;
};

/**
 * What commands of git print of files that a rule keeps from being read. Git prints them from its index and its history as well, also those
 * that are no longer there, so git is asked which files it knows. A command that may print such a file asks; one that names it is denied
 * where the rule denies.
 */
export async function gitShownUnits(parts: ReadonlyArray<ShellPart>, asking: Asking): Promise<ReadonlyArray<Unit>> {
  const rules = asking.rules.filter(({ rule, kind }) => kind === 'read' && rule.behavior !== 'allow');
  const found = rules.length === 0 ? [] : parts.flatMap((part) => shownBy(part, asking));
  const units = await Promise.all(found.map((one) => unitsOf(one, { ...asking, rules })));
  return units.flat();
}

type Shown = { readonly part: ShellPart; readonly shown: GitShown };

function shownBy(part: ShellPart, { shows }: Asking): ReadonlyArray<Shown> {
  const words = part.argv ?? part.words ?? [];
  if (path.basename(words[0] ?? '') !== 'git') return [];
  const shown = shows(words);
  return shown === null ? [] : [{ part, shown }];
}

async function unitsOf({ part, shown }: Shown, asking: Asking): Promise<ReadonlyArray<Unit>> {
  const folders = part.repositories ?? (part.cwd === null ? [] : [path.resolve(part.cwd, ...shown.folders)]);
  if (folders.length === 0 || shown.isElsewhere) return [asks(part, 'which repository it reads can’t be told')];
  const units = await Promise.all(folders.map((folder) => unitsIn(folder, { part, shown }, asking)));
  return units.flat();
}

async function unitsIn(folder: string, { part, shown }: Shown, asking: Asking): Promise<ReadonlyArray<Unit>> {
  const git = await import('@attractor/git');
  const place = { folder, variables: asking.variables };
  const here = await git.gitHere(place);
  if (here === null) return [asks(part, 'which repository it reads can’t be told')];
  if (here.repository === null) return foundUnits(folder, { part, shown }, asking);
  const top = here.repository.top ?? here.repository.gitDir;
  const direct = [
    ...namedFiles(shown, { top, folder }).map((file) => namesUnit(file, part)),
    ...(shown.isBeyond ? foundUnits(folder, { part, shown }, asking) : []),
  ];
  const kinds = await Promise.all(
    shown.objects.map(async (word) => [word, await kindOf(word, (one) => git.kindOfObject(one, place))] as const),
  );
  if (kinds.some(([word, kind]) => !word.includes(':') && (kind === 'blob' || (kind === 'tree' && shown.isWide))))
    return [...direct, asks(part, 'which file this object is can’t be told, and some may not be read')];
  const areFiles = kinds.length > 0 && kinds.every(([, kind]) => kind === 'blob' || kind === 'tree');
  if (!shown.isWide || (shown.printsObjects && areFiles)) return direct;
  const revisions = kinds.flatMap(([word, kind]) => (kind === 'commit' || kind === 'tag' ? [word] : []));
  const known = await git.filesKnownToGit(here.repository, place, revisions);
  if (known === null)
    return [...direct, asks(part, 'which files git would print can’t be told, and some may not be read')];
  const kept = known.filter((name) => asking.rules.some((rule) => speaksOf(rule, path.join(top, name))));
  const limits = [
    ...shown.paths,
    ...(shown.mayLimit ? kinds.flatMap(([word, kind]) => (kind === null ? [word] : [])) : []),
  ];
  const possible = withinLimits(
    kept.map((name) => path.join(top, name)),
    limits,
    folder,
  );
  const compared = possible.length > 0 && asking.isHarmless(part) ? comparisonOf(shown, kinds) : null;
  const names = compared === null ? null : await git.filesPrintedByGit(place, compared);
  const printed = names === null ? possible[0] : possible.find((file) => names.includes(path.relative(top, file)));
  return printed === undefined ? direct : [...direct, asks(part, reasonFor(path.relative(top, printed)))];
}

type Kinds = ReadonlyArray<readonly [word: string, kind: string | null]>;

/** Null: what it compares can't be told from its words. A word that names nothing is a path, where no `--` says which are. */
function comparisonOf({ compares, paths, mayLimit }: GitShown, kinds: Kinds) {
  const isTold = kinds.every(
    ([, kind]) => kind === 'commit' || kind === 'tag' || kind === 'range' || (mayLimit && kind === null),
  );
  if (compares === null || !isTold) return null;
  const revisions = kinds.flatMap(([word, kind]) => (kind === null ? [] : [word]));
  return {
    ...compares,
    revisions,
    paths: [...paths, ...kinds.flatMap(([word, kind]) => (kind === null ? [word] : []))],
  };
}

/** `a..b` and `^a` name commits, whichever. */
async function kindOf(word: string, ask: (word: string) => Promise<string | null>): Promise<string | null> {
  return /\.\.|^\^/.test(word) ? 'range' : ask(word);
}

/** `HEAD:.env`, `:0:.env`, `HEAD:./.env`, and plain words where they may be paths. */
function namedFiles(
  { objects, paths }: GitShown,
  { top, folder }: { readonly top: string; readonly folder: string },
): ReadonlyArray<string> {
  const inside = objects.flatMap((word) =>
    word
      .split(':')
      .slice(1)
      .filter((name) => name !== ''),
  );
  const plain = [...objects, ...paths].map((word) => word.replace(/^:(?:\/|\([\w,]*\))?(?!\()/, ''));
  return [...inside, ...plain].flatMap((name) => [path.join(top, name), path.resolve(folder, name)]);
}

/** Where git reads files as they lie on disk: those that are named, and all in folders that are. */
function foundUnits(folder: string, { part, shown }: Shown, { rules }: Asking): ReadonlyArray<Unit> {
  const words = [...shown.objects, ...shown.paths].map((word) => path.resolve(folder, word));
  const folders = [
    ...words.filter((at) => pathForms('/', at).kind === 'folder'),
    ...(shown.paths.length === 0 ? [folder] : []),
  ];
  return folders.some((at) => mayHold(at, rules, false))
    ? [asks(part, 'it reads a folder with files in it that may not be read')]
    : words.map((file) => namesUnit(file, part));
}

function namesUnit(file: string, part: ShellPart): Unit {
  return {
    part: part.text,
    nature: 'read',
    because: 'it names no file that may not be read',
    speaksOf: (rule) => rule.kind === 'read' && rule.rule.behavior !== 'allow' && speaksOf(rule, file),
  };
}

function speaksOf({ content }: CompiledRule, file: string): boolean {
  return content?.kind !== 'path' || matchesPattern(content.pattern, file, null);
}

/** The files that the words after `--` leave. Only plain words leave any out: what git makes of others is its own affair. */
function withinLimits(
  files: ReadonlyArray<string>,
  limits: ReadonlyArray<string>,
  folder: string,
): ReadonlyArray<string> {
  const isBelow = (file: string, word: string): boolean => {
    const at = path.resolve(folder, word);
    return file === at || file.startsWith(at === '/' ? at : `${at}/`);
  };
  const without = limits.flatMap((word) => /^:(?:[!^]|\(exclude\))([^*?[\\(]+)$/.exec(word)?.[1] ?? []);
  const within = limits.filter((word) => !/^:(?:[!^]|\(exclude\))/.test(word));
  const isPlain = within.every((word) => !/^:|[*?[\\]/.test(word));
  return files.filter(
    (file) =>
      !without.some((word) => isBelow(file, word)) &&
      (within.length === 0 || !isPlain || within.some((word) => isBelow(file, word))),
  );
}

function reasonFor(name: string): string {
  return `git may print ${name}, which a rule keeps from being read; leave it out with -- . ':!${name}', or name the files you want after --`;
}

function asks(part: ShellPart, reason: string): Unit {
  const forced = { decision: 'ask', reason } as const;
  return { part: part.text, nature: 'read', because: reason, speaksOf: () => false, forced };
}
