import type { Reader } from '../reads/arguments.ts';
import { FILE_READERS } from '../reads/files.ts';
import { GIT_READERS } from '../reads/git-readers.ts';
import { SEARCHERS } from '../reads/search.ts';
import { SYSTEM_READERS } from '../reads/system.ts';

/** One random call of one of the programs in the tables: options alone, in clusters, with values, and operands in any position. */
export function callFromTables(seed: number): string {
  const random = generator(seed);
  const [name, reader] = random.one(PROGRAMS);
  const words: string[] = [];
  const count = 1 + random.below(4);
  for (let at = 0; at < count; at += 1) words.push(...wordsFor(reader, random));
  if (random.below(2) === 0) words.push(random.one(OPERANDS));
  return [name, ...words.map(quoted)].join(' ');
}

const PROGRAMS: ReadonlyArray<readonly [string, Reader]> = [
  ...Object.entries({ ...FILE_READERS, ...SEARCHERS, ...SYSTEM_READERS }),
  ...Object.entries(GIT_READERS).map(([name, reader]) => [`git ${name}`, reader] as const),
];

/** Values that would show up as files if a program took them for files. */
const VALUES = ['PWNED', '3', '1,2', './x', '@PWNED', '|./x', 'x=PWNED', '%s', 'always', 'a.txt', '/etc/hostname'];
const OPERANDS = ['a.txt', 'src', './*', 'b.txt', 'PWNED', 'HEAD', 'HEAD:a.txt', 'list', 'show', '+2', '.', '5', 'foo'];

type Random = { readonly below: (limit: number) => number; readonly one: <Item>(items: ReadonlyArray<Item>) => Item };

function wordsFor(reader: Reader, random: Random): ReadonlyArray<string> {
  const letters = `${reader.short ?? ''}${reader.shortValue ?? ''}${reader.shortMaybe ?? ''}`.split('');
  const kind = random.below(10);
  if (kind < 5 && letters.length > 0) {
    const cluster = Array.from({ length: 1 + random.below(3) }, () => random.one(letters)).join('');
    return random.below(2) === 0 ? [`-${cluster}`] : [`-${cluster}`, random.one(VALUES)];
  }
  const long = reader.long ?? [];
  if (kind > 7 || long.length === 0) return [random.one(OPERANDS)];
  const name = random.one(long);
  if (!name.includes('=')) return [`--${name}`];
  const bare = `--${name.replace(/=\??$/, '')}`;
  return random.below(2) === 0 ? [`${bare}=${random.one(VALUES)}`] : [bare, random.one(VALUES)];
}

function quoted(word: string): string {
  return /^[\w.,=@+/*:-]+$/.test(word) ? word : `'${word}'`;
}

/** The same seed, the same call. */
function generator(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    below,
    one: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
  };
}
