import { posix } from 'node:path';
import { importsOf } from './syntax.ts';
import { type Tree, isProduct, packageOf } from './tree.ts';

/** One import of a file by another of the same package; types count too. */
export interface InnerImport {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** What the product files of a package import of each other. */
export function innerImports(tree: Tree): ReadonlyMap<string, ReadonlyArray<InnerImport>> {
  const files = new Set(tree.files.filter(isProduct));
  const imports = new Map<string, InnerImport[]>();
  for (const from of files) {
    const name = packageOf(from) ?? '';
    const list = imports.get(name) ?? [];
    imports.set(name, list);
    for (const { specifier, line } of importsOf(tree, from)) {
      const to = posix.join(posix.dirname(from), specifier);
      if (specifier.startsWith('.') && files.has(to)) list.push({ from, to, line });
    }
  }
  return imports;
}
