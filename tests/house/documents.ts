import { posix } from 'node:path';
import { type Tree, type Violation, isCode, packageOf } from './tree.ts';

/* What a document promises exists:
   - a path in backticks or in a link: a word with a slash and a known ending or a known first folder, or a file name;
   - a symbol in backticks: a word with an inner capital or an underscore, or one with ();
   - an `npm run` script, and names imported from our packages in fenced code.
   Other fenced code, and other backticked words, are free. */

const FENCE = /^```[^\n]*\n([^]*?)^```/gm;
const INLINE = /(?<!`)`([^`\n]+)`(?!`)/g;
const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;
const ENDINGS = 'ts|tsx|mjs|js|json|md|yaml|yml|css|html';
const FILE_NAME = new RegExp(`^[\\w.@-]+\\.(${ENDINGS})$`);
const PATH = new RegExp(`^(\\./|\\.\\./)*[\\w.@*<>-]+(/[\\w.@*<>-]+)*(/|/[\\w.@*<>-]+\\.(${ENDINGS}))$`);
const OUR_FOLDER = /^(packages|docs|tests|scripts|bench|examples|\.ci)\/[\w.@*<>/-]+$/;
const MADE_LATER = /(^|\/)(node_modules|dist|\.cache|coverage)(\/|$)/;
const SPOKEN = new RegExp(`(?<=['"\`/])(\\.?[\\w-]+\\.(?:${ENDINGS})|\\.[\\w-]+)(?=['"\`/])`, 'g');
const SYMBOL = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\(\))?$/;
const TELLING = /[a-z][A-Z]|_/;
const SCRIPT = /npm run ([\w:-]+)/g;
const IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(@attractor\/[\w-]+)/g;

export function documents(tree: Tree): Violation[] {
  const known = knownThings(tree);
  return tree.files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const text = tree.read(file);
      const prose = text.replaceAll(FENCE, '');
      const code = [...text.matchAll(FENCE)].map((match) => match[1] ?? '').join('\n');
      const missing = [
        ...missingInProse(file, prose, known),
        ...missingInCode(code, known),
        ...missingScripts(text, known),
      ];
      return [...new Set(missing)].map((message) => ({ file, message }));
    });
}

interface Known {
  readonly paths: ReadonlySet<string>;
  /** The last step of each path. */
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly wordsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly scripts: ReadonlySet<string>;
  /** Names of files and hidden folders that the code creates or reads at run time: `'config.json'`, `'.cache'`. */
  readonly spoken: ReadonlySet<string>;
}

function knownThings(tree: Tree): Known {
  const paths = new Set(tree.files.flatMap((file) => [file, ...foldersAbove(file)]));
  const sources = tree.files.filter((file) => isCode(file) || /\.(json|yaml|yml)$/.test(file));
  const wordsOf = new Map<string, Set<string>>();
  const words = new Set<string>();
  const spoken = new Set<string>();
  for (const file of sources) {
    const inPackage = wordsOf.get(`@attractor/${packageOf(file)}`) ?? new Set<string>();
    wordsOf.set(`@attractor/${packageOf(file)}`, inPackage);
    for (const word of tree.read(file).match(/[A-Za-z_$][\w$]*/g) ?? []) {
      words.add(word);
      inPackage.add(word);
    }
    for (const [, name = ''] of tree.read(file).matchAll(SPOKEN)) spoken.add(name);
  }
  const manifest: { scripts?: Record<string, string> } = paths.has('package.json')
    ? JSON.parse(tree.read('package.json'))
    : {};
  const names = new Set([...paths].map((path) => posix.basename(path)));
  return { paths, names, words, wordsOf, spoken, scripts: new Set(Object.keys(manifest.scripts ?? {})) };
}

function foldersAbove(file: string): string[] {
  const folder = posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

function missingInProse(file: string, prose: string, known: Known): string[] {
  const links = [...prose.matchAll(LINK)].map((match) => match[1] ?? '').filter((target) => !/^[a-z]+:/.test(target));
  const spans = [...prose.matchAll(INLINE)].map((match) => match[1] ?? '');
  return [
    ...links
      .filter((target) => !pathExists(file, target, known))
      .map((target) => `links to ${target}, which does not exist`),
    ...spans.flatMap((span) => missingSpan(file, span, known) ?? []),
  ];
}

function missingSpan(file: string, span: string, known: Known): string | undefined {
  if (isPath(span)) return pathExists(file, span, known) ? undefined : `names ${span}, which does not exist`;
  if (!SYMBOL.test(span)) return undefined;
  const telling = span
    .replace('()', '')
    .split('.')
    .filter((part) => TELLING.test(part) || span.endsWith('()'));
  const unknown = telling.find((part) => !known.words.has(part));
  return unknown === undefined ? undefined : `names \`${span}\`, but no source has the word ${unknown}`;
}

function isPath(span: string): boolean {
  return FILE_NAME.test(span) || OUR_FOLDER.test(span) || (PATH.test(span) && span.includes('/'));
}

/**
 * A path is valid from the root, from beside the document, or from the package's sources; a bare file name also from anywhere, or if the
 * code mentions it; a hidden folder if the code mentions it.
 */
function pathExists(file: string, target: string, known: Known): boolean {
  if (MADE_LATER.test(target)) return true;
  const here = posix.dirname(file);
  const bases = ['', here, posix.join(here, 'src')].map((base) => posix.join(base, target).replace(/\/$/, ''));
  if (bases.some((base) => isKnownPath(base, known)) || known.spoken.has(target.replace(/\/$/, ''))) return true;
  return FILE_NAME.test(target) && known.names.has(target);
}

function isKnownPath(path: string, { paths }: Known): boolean {
  if (!/[*<]/.test(path)) return paths.has(path);
  const pattern = asPattern(path);
  return [...paths].some((one) => pattern.test(one));
}

/** `*` and `<name>` match one step of a path. */
function asPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.+$^()[\]{}|\\?]/g, '\\$&').replaceAll(/\*+|<[^>]*>/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}

function missingInCode(code: string, known: Known): string[] {
  return [...code.matchAll(IMPORT)].flatMap(([, list = '', name = '']) => {
    const words = known.wordsOf.get(name);
    if (words === undefined) return [`imports from ${name}, which does not exist`];
    const imported = list.split(',').map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s/)[0] ?? '',
    );
    return imported
      .filter((part) => part !== '' && !words.has(part))
      .map((part) => `imports ${part} from ${name}, which has no such name`);
  });
}

function missingScripts(text: string, known: Known): string[] {
  const named = [...text.matchAll(SCRIPT)].map((match) => match[1] ?? '');
  return named
    .filter((script) => !known.scripts.has(script))
    .map((script) => `names \`npm run ${script}\`, which package.json lacks`);
}
