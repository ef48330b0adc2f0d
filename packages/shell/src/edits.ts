import { posix } from 'node:path';
import { isOwnFile } from './changes.ts';
import { kernelPath } from './kernel-path.ts';
import { placeToRead } from './paths.ts';
import { parseArguments, type Call, type ParsedArguments, type Reader } from './reads/arguments.ts';
import { onlyPrints } from './reads/sed.ts';
import type { ExpandedWord } from './words.ts';

/**
 * The files that a command changes, where it changes files of the workspace by name and does nothing else; null for every other
 * command. A copy of a folder is none of these: what lies in the folder is not named.
 */
export function editedBy(call: Call): ReadonlyArray<string> | null {
  const editor = BY_NAME.get(call.name);
  if (editor === undefined || call.words.some(({ known, glob }) => !known || glob) || call.cwds.length !== 1)
    return null;
  const given = parseArguments(editor.reader, call.words);
  if ('refused' in given || given.operands.some(({ text }) => text === '' || text === '-')) return null;
  const written = editor.writes(given, call);
  return written.length > 0 && written.every((path) => isOwnFile(named(path), call)) ? written : null;
}

type Editor = {
  readonly reader: Reader;
  /** Whole paths; none: it is not known to only write files that it names. */
  readonly writes: (given: ParsedArguments, call: Call) => ReadonlyArray<string>;
};

const all: Editor['writes'] = ({ operands }, call) => operands.map((word) => absolute(word, call));

const EDITORS: Readonly<Record<string, Editor>> = {
  mkdir: { reader: { short: 'pv', long: ['parents', 'verbose'], operands: 'paths' }, writes: madeFolders },
  touch: { reader: { short: 'acm', long: ['no-create'], operands: 'paths' }, writes: all },
  tee: { reader: { short: 'a', long: ['append'], operands: 'paths' }, writes: all },
  cp: { reader: { short: 'finpuv', operands: 'paths' }, writes: copied },
  mv: { reader: { short: 'finuv', operands: 'paths' }, writes: moved },
  sed: {
    reader: { short: 'nErsuz', shortValue: 'e', shortMaybe: 'i', operands: 'textThenPaths', patterns: ['e'] },
    writes: editedInPlace,
  },
};

const BY_NAME: ReadonlyMap<string, Editor> = new Map(Object.entries(EDITORS));

/** On its way `mkdir -p a/../b` makes `a`, wherever that is: each folder that it passes counts. */
function madeFolders({ operands }: ParsedArguments, call: Call): ReadonlyArray<string> {
  const passes = operands.some(({ text }) => /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/.test(text));
  return passes ? [] : operands.map((word) => absolute(word, call));
}

/** What it copies is then another file, which need not look like what it holds: it must be fit to be read. */
function copied(given: ParsedArguments, call: Call): ReadonlyArray<string> {
  const { from, to } = ends(given);
  if (to === undefined || from.length === 0) return [];
  const isFit = from.every((word) => 'paths' in placeToRead(word, call.cwds[0] ?? '', call.pathContext));
  return isFit ? placed(from, to, call) : [];
}

function moved(given: ParsedArguments, call: Call): ReadonlyArray<string> {
  const { from, to } = ends(given);
  if (to === undefined || from.length === 0 || !from.every((word) => isPlainFile(absolute(word, call), call)))
    return [];
  return [...from.map((word) => absolute(word, call)), ...placed(from, to, call)];
}

/** What a folder or a link holds would then be found elsewhere, by the rest of the same command as well. */
function isPlainFile(path: string, { pathContext: { disk } }: Call): boolean {
  const real = disk?.realpath(path) ?? null;
  const folder = disk?.realpath(posix.dirname(path)) ?? null;
  return (
    disk !== null &&
    real !== null &&
    disk.list(real) === null &&
    real === posix.join(folder ?? '', posix.basename(path))
  );
}

type Ends = { readonly from: ReadonlyArray<ExpandedWord>; readonly to: ExpandedWord | undefined };

function ends({ operands }: ParsedArguments): Ends {
  return { from: operands.slice(0, -1), to: operands.at(-1) };
}

/** Into a folder each goes under its own name; whether it is one may change until then, so both count. */
function placed(from: ReadonlyArray<ExpandedWord>, to: ExpandedWord, call: Call): ReadonlyArray<string> {
  const target = absolute(to, call);
  const within = from.map((word) => posix.join(target, posix.basename(absolute(word, call))));
  // The top of the workspace is no file to write, and only a folder to put something in.
  return call.pathContext.roots.includes(target) ? within : [target, ...within];
}

/** A suffix names one more file beside each. */
function editedInPlace({ options, operands }: ParsedArguments, call: Call): ReadonlyArray<string> {
  const suffixes = options.get('i') ?? [];
  const named = options.get('e') ?? [];
  const scripts = named.length > 0 ? named : operands.slice(0, 1).map(({ text }) => text);
  const files = named.length > 0 ? operands : operands.slice(1);
  const [suffix = ''] = suffixes;
  if (suffixes.length !== 1 || !/^(?:\.[\w-]+)?$/.test(suffix) || !scripts.every(onlyPrints)) return [];
  return files.flatMap((word) => {
    const path = absolute(word, call);
    return suffix === '' ? [path] : [path, path + suffix];
  });
}

function absolute({ text }: ExpandedWord, { cwds, pathContext }: Call): string {
  return kernelPath(text, cwds[0] ?? '/', pathContext.disk) ?? '/';
}

function named(path: string): ExpandedWord {
  return { text: path, known: true, harmless: true, glob: false, plain: true };
}
