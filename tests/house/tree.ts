import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/* A checkout as the rules see it: paths relative to its root, with slashes, in order; read on demand, at most once. */
export interface Tree {
  readonly root: string;
  readonly files: ReadonlyArray<string>;
  readonly read: (file: string) => string;
}

export interface Violation {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

export type Rule = (tree: Tree) => ReadonlyArray<Violation>;

export const CHECKOUT = dirname(dirname(import.meta.dirname));

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.cache', '.vitest', 'coverage', 'fixtures']);

export function readTree(root: string): Tree {
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    texts.set(file, text);
    return text;
  };
  return { root, files: list(root, '').toSorted(), read };
}

function list(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : list(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** `packages/llm/src/client.ts` → `llm`; undefined for what belongs to no package. */
export function packageOf(file: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(file)?.[1];
}

export function isCode(file: string): boolean {
  return /\.(ts|tsx|mjs|js)$/.test(file);
}

/** Tests and what only tests use; everything else in a package is product. */
export function isTest(file: string): boolean {
  return (
    /\.test\.(ts|tsx|mjs)$/.test(file) ||
    /(^|\/)(test-support|tests|bench|examples)\//.test(file) ||
    file.endsWith('test-support.ts')
  );
}

export function isProduct(file: string): boolean {
  return isCode(file) && /^packages\/[^/]+\/(src|bin)\//.test(file) && !isTest(file);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

export function show(violations: ReadonlyArray<Violation>): string[] {
  return violations.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`} ${message}`);
}
