import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { decodedText, messageOf } from '@attractor/base';
import type { SettingOrigin, SettingProblem } from './origin.ts';
import { readJsonWithLines } from './json-with-lines.ts';
import type { Source, SourceForm } from './source.ts';

export type Sources = { readonly sources: ReadonlyArray<Source>; readonly problems: ReadonlyArray<SettingProblem> };

export const NO_SOURCES: Sources = { sources: [], problems: [] };

export type FileToRead = { readonly form: SourceForm; readonly origin: SettingOrigin & { readonly file: string } };

/**
 * A file of the person or of the machine's administrator; an absent one is no source. Files that it extends come before it.
 * `known`: its text, if it was read already.
 */
export function readFile(file: FileToRead, known?: string): Sources {
  const read = known === undefined ? readText(file.origin.file) : { ok: true as const, text: known };
  if (read.ok) return withExtended({ ...file, text: read.text }, (name) => readText(name), []);
  return read.isAbsent ? NO_SOURCES : unreadable(file.origin, read.message);
}

/** Every file of a folder with the extension of `like`, in the order of their names. */
export function readFolder(folder: string, like: FileToRead): Sources {
  let names: ReadonlyArray<string>;
  try {
    names = readdirSync(folder)
      .filter((name) => name.endsWith(path.extname(like.origin.file)))
      .toSorted();
  } catch (error) {
    if (isAbsent(error)) return NO_SOURCES;
    return unreadable({ ...like.origin, file: folder }, messageOf(error));
  }
  return together(
    names.map((name) => readFile({ ...like, origin: { ...like.origin, file: path.join(folder, name) } })),
  );
}

export type TextReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly isAbsent: boolean; readonly message: string };

/**
 * A file and those that its `extends` names, weakest first. Only our own files extend others: relative to their folder, at any depth, and
 * never in a cycle.
 */
export function withExtended(
  source: Source,
  read: (file: string) => TextReading,
  above: ReadonlyArray<string>,
): Sources {
  const file = source.origin.file;
  if (file === null || (source.form !== 'own' && source.form !== 'lenient')) return { sources: [source], problems: [] };
  const json = readJsonWithLines(source.text);
  const named = json.ok ? json.node.members?.get('extends') : undefined;
  if (named === undefined) return { sources: [source], problems: [] };
  const items = named.items ?? [named];
  const extended = items.map((item): Sources => {
    const origin = { ...source.origin, line: item.line };
    if (typeof item.value !== 'string' || item.value === '')
      return problem(origin, '"extends" must be the path of a file, or a list of paths');
    const next = path.resolve(path.dirname(file), item.value);
    const circle = [...above, file];
    if (circle.includes(next)) return problem(origin, `"extends" leads in a circle: ${[...circle, next].join(' → ')}`);
    const text = read(next);
    if (!text.ok)
      return problem(origin, `"extends" names ${next}, which ${text.isAbsent ? 'is not there' : text.message}`);
    return withExtended({ ...source, text: text.text, origin: { ...source.origin, file: next } }, read, circle);
  });
  return together([...extended, { sources: [source], problems: [] }]);
}

export function together(all: ReadonlyArray<Sources>): Sources {
  return { sources: all.flatMap(({ sources }) => sources), problems: all.flatMap(({ problems }) => problems) };
}

/** Reading a pipe or a device would block forever; a broken link was meant to lead to limits. */
function readText(file: string): TextReading {
  try {
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory())
      return { ok: false, isAbsent: false, message: 'is not an ordinary file' };
    return { ok: true, text: decodedText(readFileSync(file)) };
  } catch (error) {
    const isGone = isAbsent(error) && lstatSync(file, { throwIfNoEntry: false }) === undefined;
    return { ok: false, isAbsent: isGone, message: `can't be read (${messageOf(error)})` };
  }
}

function unreadable(origin: SettingOrigin, message: string): Sources {
  return problem(origin, `${message}: make it readable, or remove it`);
}

/** A file that can't be reached may have contained a limit. */
function problem(origin: SettingOrigin, message: string): Sources {
  return { sources: [], problems: [{ origin, message, failsClosed: true }] };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
