import { type Tree, type Violation, isProduct, isTest, lineAt } from './tree.ts';

const PAGE = 'docs/words.md';

/** A synonym that is not used in names, with the words to use in its place. */
type Avoided = { readonly parts: ReadonlyArray<string>; readonly say: ReadonlyArray<string> };

type Vocabulary = {
  readonly avoided: ReadonlyArray<Avoided>;
  /** Words that stand in names of certain places only: packages, folders or files. */
  readonly places: ReadonlyMap<string, ReadonlyArray<string>>;
};

/**
 * Names of files and of exported types are held against `docs/words.md`. A row is `word | what it is | avoid`: what is avoided stands in
 * no name, unless it is a word with a row of its own. A row of the last table, `word | what it means there | names in`, keeps a word to
 * the places it names in backticks.
 */
export function words(tree: Tree): Violation[] {
  if (!tree.files.includes(PAGE)) return [{ file: PAGE, message: 'is missing' }];
  const vocabulary = readVocabulary(tree.read(PAGE));
  return tree.files
    .filter((file) => isProduct(file) && !isTest(file))
    .flatMap((file) => ofFile(tree, file, vocabulary));
}

function ofFile(tree: Tree, file: string, vocabulary: Vocabulary): Violation[] {
  const text = tree.read(file);
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const types = [...text.matchAll(/^export (?:declare |abstract )*(?:type|interface|class) (\w+)/gm)];
  return [
    ...problemsOf(name, file, vocabulary).map((message) => ({ file, message: `is named "${name}": ${message}` })),
    ...types.flatMap(({ 1: type = '', index }) =>
      problemsOf(type, file, vocabulary).map((message) => ({
        file,
        line: lineAt(text, index),
        message: `exports the type ${type}: ${message}`,
      })),
    ),
  ];
}

function problemsOf(name: string, file: string, { avoided, places }: Vocabulary): string[] {
  const parts = partsOf(name);
  return [
    ...avoided
      .filter((one) => stands(one.parts, parts) && !places.has(one.parts.join(' ')))
      .map(({ parts: synonym, say }) => `"${synonym.join(' ')}" is avoided for ${say.join(' and ')} (${PAGE})`),
    ...[...places]
      .filter(([word, where]) => stands(partsOf(word), parts) && !where.some((place) => isWithin(file, place)))
      .map(([word, where]) => `"${word}" stands in names of ${where.join(', ')} only (${PAGE})`),
  ];
}

function readVocabulary(page: string): Vocabulary {
  const tables = page.split(/^## /m).map(rowsOf);
  const rows = tables.filter(([head]) => head?.[2] === 'avoid').flatMap((table) => table.slice(2));
  const own = new Set(rows.flatMap(([word = '']) => word.split(',').map(plain)));
  const avoided = new Map<string, string[]>();
  for (const [word = '', , list = ''] of rows)
    for (const synonym of list.split(',').map(plain))
      if (synonym !== '' && !own.has(synonym)) avoided.set(synonym, [...(avoided.get(synonym) ?? []), word]);
  const placed = tables.filter(([head]) => head?.[2] === 'names in').flatMap((table) => table.slice(2));
  const places = new Map<string, string[]>();
  for (const [word = '', , where = ''] of placed)
    places.set(plain(word), [
      ...(places.get(plain(word)) ?? []),
      ...[...where.matchAll(/`([^`]+)`/g)].map((one) => one[1] ?? ''),
    ]);
  return {
    avoided: [...avoided].map(([synonym, say]) => ({ parts: partsOf(synonym), say })),
    places,
  };
}

function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function plain(term: string): string {
  return partsOf(term).join(' ');
}

/** `read-hooks`, `ReadHooks` and `read hooks` alike: read, hook. */
function partsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => singular(part.toLowerCase()));
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

function stands(synonym: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean {
  return parts.some((_, at) => synonym.every((part, further) => parts[at + further] === part));
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}
