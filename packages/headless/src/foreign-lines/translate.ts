import { nearestName } from '@attractor/base';
import { InputProblem } from '../input/input-problem.ts';
import type { FlagRow } from './flag-row.ts';

export type Translated = {
  /** Our flags. */
  readonly words: ReadonlyArray<string>;
  /** What is no flag, in order. */
  readonly rest: ReadonlyArray<string>;
  /** What had no effect, and why: lines for the person. */
  readonly notes: ReadonlyArray<string>;
};

/** Where the model is and where commands run is ours to say, also in a line of another agent. */
const OURS: ReadonlyArray<FlagRow> = [
  '--provider <id>',
  '--base-url <url>',
  '--max-retries <n>',
  '--allow-unsandboxed',
].map((flag) => ({ flag, here: { kind: 'as', ours: '', words: (value) => ownWords(flag, value) } }));

function ownWords(flag: string, value: string): ReadonlyArray<string> {
  const [name = ''] = flag.split(' ');
  return value === '' ? [name] : [name, value];
}

/** The words of another agent's command line in ours. Throws for a flag that is unknown, lacks its value, or can't be honoured. */
export function translate(argv: ReadonlyArray<string>, table: ReadonlyArray<FlagRow>): Translated {
  const known = [...table, ...OURS].map(readRow);
  const words: string[] = [];
  const rest: string[] = [];
  const notes: string[] = [];
  for (let at = 0; at < argv.length;) {
    const word = argv[at] ?? '';
    if (word === '--') {
      rest.push(...argv.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      rest.push(word);
      at += 1;
      continue;
    }
    const { row, name, values, next } = readFlag(argv, at, known);
    at = next;
    const { here } = row;
    if (here.kind === 'refused') throw new InputProblem(`${name}: ${here.why}.`);
    if (here.kind === 'told') notes.push(`${name} has no effect: ${here.why}.`);
    if (here.kind !== 'as') continue;
    for (const meant of (row.takes === 'nothing' ? [''] : values).map(here.words)) {
      if ('note' in meant) notes.push(meant.note);
      else words.push(...meant);
    }
  }
  return { words, rest, notes };
}

/** What is no flag and no value of one, up to the first flag that is unknown. */
export function wordsBesideFlags(argv: ReadonlyArray<string>, table: ReadonlyArray<FlagRow>): ReadonlyArray<string> {
  const known = [...table, ...OURS].map(readRow);
  const words: string[] = [];
  for (let at = 0; at < argv.length && argv[at] !== '--';) {
    const word = argv[at] ?? '';
    const isFlag = /^-./.test(word);
    if (isFlag && !known.some(({ names }) => names.includes(parts(word, known).name))) break;
    if (!isFlag) words.push(word);
    at = isFlag ? readFlag(argv, at, known).next : at + 1;
  }
  return words;
}

type KnownFlag = FlagRow & {
  readonly names: ReadonlyArray<string>;
  readonly takes: 'nothing' | 'value' | 'values';
};

function readRow(row: FlagRow): KnownFlag {
  const names = [...row.flag.matchAll(/(?<![\w<-])--?[\w-]+/g)].map(([name]) => name);
  const takes = row.flag.includes('...>') ? 'values' : row.flag.includes('<') ? 'value' : 'nothing';
  return { ...row, names, takes };
}

type ReadFlag = {
  readonly row: KnownFlag;
  readonly name: string;
  readonly values: ReadonlyArray<string>;
  readonly next: number;
};

function readFlag(argv: ReadonlyArray<string>, at: number, known: ReadonlyArray<KnownFlag>): ReadFlag {
  const { name, attached } = parts(argv[at] ?? '', known);
  const row = known.find(({ names }) => names.includes(name));
  if (row === undefined) throw unknownFlag(name, known);
  if (row.takes === 'nothing') return { row, name, values: [], next: at + 1 };
  if (attached !== null) return { row, name, values: [attached], next: at + 1 };
  const following = argv.slice(at + 1);
  const end = following.findIndex((word) => /^-./.test(word));
  const count = row.takes === 'value' ? 1 : end === -1 ? following.length : end;
  const values = following.slice(0, count);
  if (values.length === 0) throw new InputProblem(`${name} needs a value.`);
  return { row, name, values, next: at + 1 + count };
}

/** `--model=x`, `-m=x` and `-mx` carry their value with them. */
function parts(
  word: string,
  known: ReadonlyArray<KnownFlag>,
): { readonly name: string; readonly attached: string | null } {
  const [, name = word, value = null] = /^(--?[\w-]+)=([^]*)$/.exec(word) ?? [];
  if (word.startsWith('--') || known.some(({ names }) => names.includes(name))) return { name, attached: value };
  const short = word.slice(0, 2);
  const takes = known.find(({ names }) => names.includes(short))?.takes;
  return takes === undefined || takes === 'nothing'
    ? { name, attached: value }
    : { name: short, attached: word.slice(2) };
}

function unknownFlag(name: string, known: ReadonlyArray<KnownFlag>): InputProblem {
  const near = nearestName(
    name,
    known.flatMap(({ names }) => names),
  );
  return new InputProblem(`unknown option '${name}'${near === null ? '' : ` (did you mean ${near}?)`}.`);
}
