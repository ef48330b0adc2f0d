import { type Tree, type Violation, isProduct, isTest, lineAt } from './tree.ts';

const PAGE = 'docs/words.md';

/** A word that is not used in names, with the words to use in its place. */
type Avoided = { readonly parts: ReadonlyArray<string>; readonly say: ReadonlyArray<string> };

type Vocabulary = {
  readonly avoided: ReadonlyArray<Avoided>;
  /** Words that only names of certain places contain: packages, folders or files. */
  readonly places: ReadonlyMap<string, ReadonlyArray<string>>;
};

/**
 * Checks the names of files, folders, exported types and exported functions against `docs/words.md`. A row is `word | what it is | avoid`:
 * no name contains an avoided word, unless that has its own row. A row `word | what it means there | names in` keeps a word to the places
 * in backticks. A row `word | what it stood for | say` refuses a word that needs a guide.
 */
export function words(tree: Tree): Violation[] {
  if (!tree.files.includes(PAGE)) return [{ file: PAGE, message: 'is missing' }];
  const vocabulary = readVocabulary(tree.read(PAGE));
  const files = tree.files.filter((file) => isProduct(file) && !isTest(file));
  return [
    ...[...new Set(files.flatMap(foldersOf))].flatMap((folder) => ofPath(folder, vocabulary)),
    ...files.flatMap((file) => [...ofPath(file, vocabulary), ...ofExports(tree, file, vocabulary)]),
  ];
}

/** `packages/store/src/a/b/c.ts` → `packages/store/src/a`, `packages/store/src/a/b`. */
function foldersOf(file: string): string[] {
  const steps = file.split('/');
  return steps.slice(3, -1).map((_, at) => steps.slice(0, at + 4).join('/'));
}

function ofPath(file: string, vocabulary: Vocabulary): Violation[] {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return problemsOf(name, file, vocabulary).map((message) => ({ file, message: `is named "${name}": ${message}` }));
}

const EXPORTED = /^export (?:declare |abstract |async )*(type|interface|class|function\*?) (\w+)/gm;

function ofExports(tree: Tree, file: string, vocabulary: Vocabulary): Violation[] {
  const text = tree.read(file);
  return [...text.matchAll(EXPORTED)].flatMap(({ 1: keyword = '', 2: name = '', index }) => {
    const isFunction = keyword.startsWith('function');
    return problemsOf(name, file, vocabulary).map((message) => ({
      file,
      line: lineAt(text, index),
      message: `exports the ${isFunction ? 'function' : 'type'} ${name}: ${message}`,
    }));
  });
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
  for (const [word = '', , say = ''] of tables
    .filter(([head]) => head?.[2] === 'say')
    .flatMap((table) => table.slice(2)))
    avoided.set(plain(word), [say]);
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
