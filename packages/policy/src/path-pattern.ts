/*
 * Paths in rules, in git's ignore syntax:
 *   pattern := '//' path      from the top of the file system
 *            | '~/' path      from the person's home
 *            | '/' path       from the root that the rule's file belongs to
 *            | ('../')+ path  from above the working directory
 *            | ['./'] path    in the working directory; without a '/' inside at any depth of it
 * What matches a folder matches all that is in it.
 */
import path from 'node:path';
import { type IgnoreFile, isIgnored, parseIgnoreFile } from '@attractor/files';
import { realPathOf } from './real-path.ts';

/** `bases`: the folder that the pattern is relative to, as named and as resolved. */
export type PathPattern = { readonly bases: ReadonlyArray<string>; readonly file: IgnoreFile };

/** What the prefixes of patterns refer to. */
export type PatternPlaces = { readonly cwd: string; readonly home: string; readonly root: string };

export type ReadPattern =
  | { readonly ok: true; readonly pattern: PathPattern }
  | { readonly ok: false; readonly reason: string };

export function readPathPattern(text: string, places: PatternPlaces): ReadPattern {
  const { base, line } = anchorOf(text, places);
  if (line.startsWith('!')) return refused('a rule is not an exception to another one: write an allow or a deny rule');
  if (line.split('/').includes('..')) return refused('".." may only stand at the beginning');
  if (text.includes('\0') || text.includes('\n')) return refused('a path has no line ends');
  const file = parseIgnoreFile('', line.startsWith('#') ? `\\${line}` : line);
  if (file.rules.length === 0) return refused('it is not a path pattern in git’s ignore syntax');
  const real = realPathOf(base);
  return { ok: true, pattern: { bases: real === null || real === base ? [base] : [base, real], file } };
}

/** `kind` null: the path may be a file or a folder, and either counts. */
export function matchesPattern({ bases, file }: PathPattern, asked: string, kind: 'file' | 'folder' | null): boolean {
  const kinds = kind === null ? (['file', 'folder'] as const) : [kind];
  return bases.some((base) => {
    const below = path.relative(base, asked);
    if (below === '' || below === '..' || below.startsWith('../')) return false;
    const names = below.split('/');
    return names.some((_name, index) => {
      const upTo = names.slice(0, index + 1).join('/');
      return index === names.length - 1
        ? kinds.some((one) => isIgnored([file], upTo, one))
        : isIgnored([file], upTo, 'folder');
    });
  });
}

/** A literal path as a pattern that matches only it. */
export function patternFor(relative: string): string {
  return relative
    .replaceAll(/[\\*?[\]]/g, (character) => `\\${character}`)
    .replace(/ +$/, (spaces) => spaces.replaceAll(' ', '\\ '));
}

function anchorOf(text: string, { cwd, home, root }: PatternPlaces): { readonly base: string; readonly line: string } {
  if (text.startsWith('//')) return { base: '/', line: below(text.slice(2)) };
  if (text === '~' || text.startsWith('~/')) return { base: home, line: below(text.slice(2)) };
  if (text.startsWith('/')) return { base: root, line: below(text.slice(1)) };
  const up = /^(?:\.\/)*((?:\.\.\/)+)(.*)$/s.exec(text);
  if (up !== null) return { base: path.resolve(cwd, up[1] ?? ''), line: below(up[2] ?? '') };
  const here = text.replace(/^(?:\.\/)+/, '');
  return { base: cwd, line: here === text ? text : below(here) };
}

/** Relative to its base; empty means everything. */
function below(text: string): string {
  return text === '' ? '/**' : `/${text}`;
}

function refused(reason: string): ReadPattern {
  return { ok: false, reason };
}
