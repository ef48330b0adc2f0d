import { globSync } from 'node:fs';
import type { CompiledRule } from './compile-rule.ts';
import { matchesForms } from './path-unit.ts';
import { pathForms } from './real-path.ts';
import type { ShellPart } from '@attractor/shell';
import type { Unit } from './unit.ts';

/** Commands that tell of files without showing what is in them. */
const TELL_NAMES: ReadonlySet<string> = new Set(
  'basename cd dirname du file find git ls mkdir pwd readlink realpath stat test touch tree'.split(' '),
);
const MOST_FILES = 1_000;

/**
 * What a command names, for rules that deny or ask about reading: every word counts as a file, whether or not the command would take
 * it for one, and a pattern as all the files it fits. A folder that is read through asks, since what lies in it is not named.
 */
export function namedFileUnits(part: ShellPart, rules: ReadonlyArray<CompiledRule>): ReadonlyArray<Unit> {
  const { cwd } = part;
  const reading = rules.filter(({ rule, kind }) => kind === 'read' && rule.behavior !== 'allow');
  if (reading.length === 0 || cwd === null) return [];
  const words = (part.argv ?? part.words ?? []).flatMap(pathsIn);
  return [...words.map((word) => wordUnit(word, cwd, part)), ...folderUnits(part, cwd)];
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

/** Null when there are too many. */
function fitting(pattern: string, cwd: string): ReadonlyArray<string> | null {
  try {
    const found = globSync(pattern, { cwd });
    return found.length > MOST_FILES ? null : [pattern, ...found];
  } catch {
    return null;
  }
}

function folderUnits(part: ShellPart, cwd: string): ReadonlyArray<Unit> {
  const [name = ''] = part.argv ?? [];
  if (TELL_NAMES.has(name)) return [];
  const folders = part.targets.filter(
    ({ path, access }) => access === 'read' && path !== null && pathForms(cwd, path).kind === 'folder',
  );
  const reason = 'it reads a folder that may hold files which may not be read';
  return folders.map((): Unit => {
    return {
      part: part.text,
      nature: 'read',
      because: reason,
      speaksOf: () => false,
      forced: { decision: 'ask', reason },
    };
  });
}
