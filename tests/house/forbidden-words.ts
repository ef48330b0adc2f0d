import { type Tree, type Violation, isCode, isTest, lineAt } from './tree.ts';

/** Names that say nothing about what is decided in a file. */
const EMPTY_NAMES = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'manager',
  'managers',
  'core',
  'misc',
  'stuff',
]);

interface Word {
  readonly pattern: RegExp;
  readonly message: string;
  readonly where?: (file: string) => boolean;
}

/* The patterns are written so that they do not match themselves. */
const WORDS: ReadonlyArray<Word> = [
  { pattern: /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/, message: 'leaves work for later: do it, or open an issue' },
  { pattern: /(?<![\w.-])\/work[/](?!\*)/, message: 'names a folder of one machine' },
  {
    pattern: /(?<![\w.-])\/(home|Users)\/\w+\//,
    message: 'names the home of one person',
    where: (file) => !isTest(file),
  },
  { pattern: /\bregistry[.][\w-]+[.]\w+/, message: 'names a package registry: which one is used is up to the machine' },
  {
    pattern: /(oxlint|eslint)-[d]isable|@ts-[i]gnore|@ts-[n]ocheck|(prettier|oxfmt)-[i]gnore|@lint[i]gnore/,
    message: 'makes an exception: there are none',
  },
  { pattern: /@ts-expect-[e]rror/, message: 'hides a type error', where: (file) => !isTest(file) },
];

/** Forbidden in file names and in text. There is no list of exceptions. */
export function forbiddenWords(tree: Tree): Violation[] {
  return [
    ...tree.files.flatMap(nameViolation),
    ...tree.files.filter(isText).flatMap((file) => textViolations(tree, file)),
  ];
}

function nameViolation(file: string): Violation[] {
  const bad = file
    .split('/')
    .flatMap((step) => step.split(/[-._]/))
    .find((word) => EMPTY_NAMES.has(word.toLowerCase()));
  return bad === undefined ? [] : [{ file, message: `is named "${bad}", which does not say what is decided there` }];
}

function isText(file: string): boolean {
  return isCode(file) || /\.(md|json|yaml|yml|css|html|sh|npmrc)$/.test(file) || !file.includes('.');
}

function textViolations(tree: Tree, file: string): Violation[] {
  const text = tree.read(file);
  return WORDS.filter(({ where }) => where === undefined || where(file)).flatMap(({ pattern, message }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ file, line: lineAt(text, match.index), message: `${message} ("${match[0]}")` }];
  });
}
