import { isProduct, packageOf, type Rule } from './tree.ts';

/** Beyond this a package no longer reads as one thing: a room of it is a package of its own. */
export const MOST_LINES = 16_000;

export const packageSizes: Rule = (tree) => {
  const lines = new Map<string, number>();
  for (const file of tree.files.filter(isProduct)) {
    const name = packageOf(file) ?? '';
    lines.set(name, (lines.get(name) ?? 0) + tree.read(file).split('\n').length - 1);
  }
  return [...lines]
    .filter(([, count]) => count > MOST_LINES)
    .map(([name, count]) => ({
      file: `packages/${name}`,
      message: `has ${count} lines of source, at most ${MOST_LINES}`,
    }));
};
