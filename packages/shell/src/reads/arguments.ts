import { expandGlob, mayBeOption, whyOption } from '../globs.ts';
import { whyGlobsLeave, whyLinksLeave } from '../look-below.ts';
import { placeInside, placeToRead, type PathContext } from '../paths.ts';
import type { GitList } from '../reading.ts';
import type { ExpandedWord, PipedNames } from '../words.ts';
import { isSubstituted, placeFound } from './found-files.ts';

/**
 * The forms of a command that only read. Everything not listed here is unknown, and so is not a read:
 * - `short`: letters of options without a value; `shortValue`: letters whose value is the rest of the word or the next one
 * - `long`: names without dashes; `name=` takes a value, `name=?` takes one only after an equals sign
 * - `paths`: options among them whose value is a path that is read
 * - `operands`: what the other words are; `textThenPaths`: the first is a text unless one of `patterns` was given
 */
export type Reader = {
  readonly short?: string;
  readonly shortValue?: string;
  /** Letters that take a value only within the same word. */
  readonly shortMaybe?: string;
  readonly long?: ReadonlyArray<string>;
  readonly paths?: ReadonlyArray<string>;
  readonly patterns?: ReadonlyArray<string>;
  readonly operands: 'paths' | 'names' | 'text' | 'none' | 'textThenPaths';
  /** Its parser takes words after the first operand as operands, whatever they begin with. */
  readonly optionsFirst?: boolean;
  /** Some systems' versions do so: a value after an operand must then also be safe to read. */
  readonly mayStopEarly?: boolean;
  /** A word that is none of its options is text, dashes and all. */
  readonly printsDashes?: boolean;
  /** Versions differ on which options take the next word: a word that begins with a dash may be a separate option. */
  readonly wary?: boolean;
  /** Its first word says what it does: an option before it means something else. */
  readonly verb?: boolean;
  /** Its parser takes one option per word: `-ac x` is `-a`, and x a file, while others see a value of `-c`. */
  readonly apart?: boolean;
  /** `-20` is a number of lines. */
  readonly number?: boolean;
  readonly most?: number;
  /** One operand more is a file that it writes. */
  readonly writesNext?: boolean;
  readonly least?: number;
  /** A bare `*` may expand to a file name that begins with a dash: safe only if no option does harm. */
  readonly bareGlob?: boolean;
  /** No option, known or not, writes a file or starts a program: a bare `*` is fit while no name there begins with a dash. */
  readonly onlyReads?: boolean;
  /** Its operands may be names of commits. */
  readonly revisions?: boolean;
  /** Any text may be an operand of it: it has no option that does more than change what it prints. */
  readonly anyText?: boolean;
  /** Without a path it goes through the folder that it runs in. */
  readonly here?: (given: ParsedArguments) => boolean;
  /** It opens what the links below a folder lead to. */
  readonly follows?: (given: ParsedArguments) => boolean;
  /** Endings of the names that it tries besides, where no file has the name that it is given. */
  readonly tries?: ReadonlyArray<string>;
  /** Without a path it waits for input, unless one of these options was given. */
  readonly stdin?: ReadonlyArray<string>;
  /** What the table can't express. Returns why it is no read. */
  readonly check?: (given: ParsedArguments) => string | null;
};

export type ParsedArguments = {
  readonly options: ReadonlyMap<string, ReadonlyArray<string>>;
  readonly operands: ReadonlyArray<ExpandedWord>;
};

export type Call = {
  readonly name: string;
  /** The words after the name. */
  readonly words: ReadonlyArray<ExpandedWord>;
  /** Every folder it may run in. */
  readonly cwds: ReadonlyArray<string>;
  readonly pathContext: PathContext;
  /** Whether a `cd` came before it. */
  readonly moved: boolean;
  /** Whether a pipe or a redirection provides its input. */
  readonly fed: boolean;
  /** The files whose names it gets through a pipe, where they are known. */
  readonly piped: PipedNames | null;
};

/**
 * `guarded`: files that it reads besides, which lie outside the workspace or usually hold secrets; `why` of the first. `repositories`: the folders from
 * which git looks for its repository.
 */
export type ReadVerdict =
  | { readonly refused: string }
  | {
      readonly reads: ReadonlyArray<string>;
      readonly guarded?: Guarded;
      readonly repositories?: ReadonlyArray<string>;
      readonly lists?: GitList;
      /** Which files it reads was looked up on the disk, name by name. */
      readonly looked?: true;
    };

type Guarded = { readonly paths: ReadonlyArray<string>; readonly why: string };

export function judgeRead(reader: Reader, call: Call): ReadVerdict {
  const given = parseArguments(reader, call.words);
  if ('refused' in given) return given;
  const { least = 0, most = Infinity } = reader;
  const several = given.operands.find(({ glob, many }) => glob || many === true);
  const beyond = reader.writesNext === true ? 'may write to the last' : `is known to only read at most ${most}`;
  if (several === undefined && given.operands.length < least)
    return { refused: `${call.name} ${least === 1 ? 'without operands' : 'with so few operands'} does something else` };
  if (given.operands.length > most)
    return { refused: `there are ${given.operands.length} operands, and ${call.name} ${beyond}` };
  if (most !== Infinity && several !== undefined)
    return { refused: `${several.text} may become several words, and ${call.name} ${beyond}` };
  const dashed = globAsOption(reader, call);
  if (dashed !== null) return { refused: dashed };
  const refused = reader.check?.(given) ?? null;
  if (refused !== null) return { refused };
  return placePaths(reader, given, call);
}

type Parsed = ParsedArguments & { readonly pathValues: ReadonlyArray<ExpandedWord> };

/** GNU order: options may follow operands, until `--`. */
export function parseArguments(
  reader: Reader,
  words: ReadonlyArray<ExpandedWord>,
): Parsed | { readonly refused: string } {
  const options = new Map<string, string[]>();
  const operands: ExpandedWord[] = [];
  const pathValues: ExpandedWord[] = [];
  const note = (name: string, value: ExpandedWord | null): void => {
    const values = options.get(name);
    if (values === undefined) options.set(name, [value?.text ?? '']);
    else values.push(value?.text ?? '');
    if (value !== null && reader.paths?.includes(name)) pathValues.push(value);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (!word.known && !mayStand(word, reader)) return { refused: `${word.text} is only known when it runs` };
    if (reader.optionsFirst === true && operands.length > 0 && /^-./.test(word.text))
      return { refused: `${word.text} after an operand is an operand` };
    if (word.text === '--' && word.known) {
      operands.push(...words.slice(at + 1));
      break;
    }
    const fit = reader.bareGlob === true || (reader.onlyReads === true && !word.text.startsWith('-'));
    const isText = reader.printsDashes === true && operands.length > 0;
    if (word.glob && mayBeOption(word.text) && !fit && !isText && !isNamedOption(word, reader))
      return { refused: whyOption(word.text) };
    if (!word.text.startsWith('-') || word.text === '-') operands.push(word);
    else {
      const taken = takeOption({ reader, word, next: words[at + 1], note });
      if ('refused' in taken && reader.printsDashes === true) {
        operands.push(word);
        continue;
      }
      if ('refused' in taken) return taken;
      at += taken.used;
      const value = taken.used === 1 ? words[at] : undefined;
      if (value !== undefined && reader.mayStopEarly === true && operands.length > 0) pathValues.push(value);
    }
  }
  const dynamic = operands.find((word) => !word.known && !mayStand(word, reader));
  return dynamic === undefined
    ? { options, operands, pathValues }
    : { refused: `${dynamic.text} is only known when it runs` };
}

/** Whether a word that is only known when it runs is fit to be an operand, whatever it becomes. */
function mayStand(word: ExpandedWord, { operands, anyText, revisions }: Reader): boolean {
  if (word.found !== undefined && operands !== 'text' && operands !== 'none') return true;
  // What xargs and find hand on is not expanded again.
  if (word.found !== undefined && word.inert !== true) return anyText === true;
  if (word.harmless && operands === 'text') return true;
  if (word.inert !== true || word.shape === undefined) return false;
  if (word.shape === 'pipe') return operands === 'paths' || operands === 'textThenPaths';
  if (word.shape === 'hash' && revisions === true) return true;
  return anyText === true && (word.shape !== 'text' || word.many !== true);
}

/** A file whose name the program would take for an option. */
function globAsOption({ onlyReads, bareGlob }: Reader, { words, cwds, pathContext: { disk } }: Call): string | null {
  if (onlyReads !== true || bareGlob === true || !words.some(({ glob }) => glob)) return null;
  const end = words.findIndex(({ text }) => text === '--');
  for (const { text, glob } of words.slice(0, end < 0 ? undefined : end))
    for (const cwd of glob && /^[*?[]/.test(text) ? cwds : []) {
      if (disk === null) return `${text} may stand for an option`;
      const found = expandGlob(text, cwd, disk);
      const dashed = found?.find((match) => match.text.startsWith('-'));
      if (found === null) return `${text} fits too many files`;
      if (dashed !== undefined) return `${text} fits ${dashed.text}, which would be an option`;
    }
  return null;
}

/** `--include=*.ts`: whatever it becomes is that option again. */
function isNamedOption({ text }: ExpandedWord, { long, paths }: Reader): boolean {
  const name = /^--([\w-]+)=[^=]*$/.exec(text)?.[1];
  return name !== undefined && long?.includes(`${name}=`) === true && paths?.includes(name) !== true;
}

type Taking = {
  readonly reader: Reader;
  readonly word: ExpandedWord;
  readonly next: ExpandedWord | undefined;
  readonly note: (name: string, value: ExpandedWord | null) => void;
};
type Taken = { readonly refused: string } | { readonly used: number };

function takeOption(taking: Taking): Taken {
  const { text } = taking.word;
  if (taking.word.glob && !isNamedOption(taking.word, taking.reader))
    return { refused: `${text} may stand for an option` };
  if (text.startsWith('--')) return takeLong(taking);
  if (taking.reader.apart === true && !/^-[a-zA-Z]\d*$/.test(text))
    return { refused: `${text} is not a single option, and only those are known` };
  if (taking.reader.number === true && /^-\d+$/.test(text)) {
    taking.note('number', null);
    return { used: 0 };
  }
  return takeShort(taking);
}

/** Only whole names: an abbreviation may mean another option in another version. */
function takeLong({ reader, word, next, note }: Taking): Taken {
  const equals = word.text.indexOf('=');
  const name = word.text.slice(2, equals < 0 ? undefined : equals);
  const long = reader.long ?? [];
  if (equals >= 0) {
    if (!long.includes(`${name}=`) && !long.includes(`${name}=?`))
      return { refused: `--${name}=… is not known to only read` };
    note(name, { ...word, text: word.text.slice(equals + 1) });
    return { used: 0 };
  }
  if (long.includes(name) || long.includes(`${name}=?`)) {
    note(name, null);
    return { used: 0 };
  }
  if (!long.includes(`${name}=`)) return { refused: `--${name} is not known to only read` };
  if (!isValue(next, reader)) return { refused: `the value of --${name} is not known` };
  note(name, next);
  return { used: 1 };
}

function takeShort({ reader, word, next, note }: Taking): Taken {
  for (let at = 1; at < word.text.length; at += 1) {
    const letter = word.text.charAt(at);
    if (reader.shortMaybe?.includes(letter) === true) {
      note(letter, { ...word, text: word.text.slice(at + 1) });
      return { used: 0 };
    }
    if (reader.shortValue?.includes(letter) === true) {
      const rest = word.text.slice(at + 1);
      if (rest !== '') {
        note(letter, { ...word, text: rest });
        return { used: 0 };
      }
      if (!isValue(next, reader)) return { refused: `the value of -${letter} is not known` };
      note(letter, next);
      return { used: 1 };
    }
    if (reader.short?.includes(letter) !== true) return { refused: `-${letter} is not known to only read` };
    note(letter, null);
  }
  return { used: 0 };
}

function isValue(next: ExpandedWord | undefined, { wary }: Reader): next is ExpandedWord {
  return next !== undefined && next.known && !next.glob && !(wary === true && next.text.startsWith('-'));
}

function placePaths(reader: Reader, given: Parsed, call: Call): ReadVerdict {
  const texts = reader.operands === 'textThenPaths' && !hasPattern(reader, given) ? 1 : 0;
  const paths = pathsAmong(reader, given.operands, texts);
  if (reader.operands === 'none' && given.operands.length > 0)
    return { refused: `${call.name} with operands does something else` };
  const text = texts === 0 ? undefined : given.operands[0];
  if (text !== undefined && (text.glob || !text.known))
    return { refused: 'the text to look for may become file names' };
  if (reader.operands === 'text') {
    const leaves = whyGlobsLeave(given.operands, call.cwds, call.pathContext);
    if (leaves !== null) return { refused: leaves };
  }
  const named = given.pathValues.length === 0 ? paths : [...paths, ...given.pathValues];
  if (!call.fed && waitsForInput(reader, given, { paths, named })) return { refused: `${call.name} waits for input` };
  const place = reader.operands === 'names' ? placeInside : placeToRead;
  const guarded: { readonly path: string; readonly why: string }[] = [];
  const mayBeNone = paths.every(isSubstituted);
  const reads = new Set<string>(mayBeNone && reader.here?.(given) === true ? call.cwds : []);
  for (const word of withEndings(named, reader)) {
    if (word.text === '-' || word.text === '' || word.shape === 'pipe' || word.shape === 'hash') continue;
    for (const cwd of call.cwds) {
      const at =
        word.found === undefined ? place(word, cwd, call.pathContext) : placeFound(word.found, call.pathContext);
      if ('paths' in at) for (const path of at.paths) reads.add(path);
      else if (at.guarded === undefined || word.glob) return { refused: at.refused };
      else guarded.push({ path: at.guarded, why: at.refused });
    }
  }
  const looked = named.some(({ found }) => found !== undefined) ? { looked: true as const } : {};
  const verdict = { ...followed(reader, given, { reads: [...reads], pathContext: call.pathContext }), ...looked };
  const why = guarded[0]?.why;
  if ('refused' in verdict || why === undefined) return verdict;
  // What follows links out of a folder outside is not looked at.
  return reader.follows?.(given) === true || isRecursive(reader, given)
    ? { refused: why }
    : { ...verdict, guarded: { paths: guarded.map(({ path }) => path), why } };
}

function pathsAmong(
  { operands }: Reader,
  given: ReadonlyArray<ExpandedWord>,
  texts: number,
): ReadonlyArray<ExpandedWord> {
  if (operands === 'text' || operands === 'none') return [];
  return texts === 0 ? given : given.slice(texts);
}

function withEndings(words: ReadonlyArray<ExpandedWord>, { tries = [] }: Reader): ReadonlyArray<ExpandedWord> {
  if (tries.length === 0) return words;
  return words.flatMap((word) => [
    word,
    ...(word.known ? tries.map((end) => ({ ...word, text: word.text + end })) : []),
  ]);
}

/** All that lies below the folder is then read, and not that path alone. */
function isRecursive(reader: Reader, given: ParsedArguments): boolean {
  return reader.operands !== 'names' && reader.here?.(given) === true;
}

type Followed = { readonly reads: ReadonlyArray<string>; readonly pathContext: PathContext };

function followed(reader: Reader, given: ParsedArguments, { reads, pathContext }: Followed): ReadVerdict {
  if (reader.follows?.(given) !== true) return { reads };
  const refused = reads.map((path) => whyLinksLeave(path, pathContext)).find((why) => why !== null);
  return refused === undefined || refused === null ? { reads } : { refused };
}

type Named = { readonly paths: ReadonlyArray<ExpandedWord>; readonly named: ReadonlyArray<ExpandedWord> };

function waitsForInput(reader: Reader, { options }: ParsedArguments, { paths, named }: Named): boolean {
  if (named.some(({ text }) => text === '-')) return true;
  if (reader.stdin === undefined || options.has('version') || options.has('help')) return false;
  return paths.length === 0 && !reader.stdin.some((name) => options.has(name));
}

function hasPattern(reader: Reader, given: ParsedArguments): boolean {
  return reader.patterns?.some((name) => given.options.has(name)) === true;
}
