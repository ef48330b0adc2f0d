import type { Tree, Violation } from './tree.ts';

const NOTE = /^docs\/decisions\/(\d{4}-[\w-]+\.md)$/;
const INDEX = 'docs/decisions/README.md';
const BUDGET = 60;

/** A decision note is short, has a unique number, and is listed in the index. */
export function decisionNotes(tree: Tree): Violation[] {
  const index = tree.files.includes(INDEX) ? tree.read(INDEX) : '';
  const numbers = new Set<string>();
  return tree.files.flatMap((file) => {
    const name = NOTE.exec(file)?.[1];
    if (name === undefined) return [];
    const number = name.slice(0, 4);
    const lines = tree.read(file).trimEnd().split('\n').length;
    const found = [
      lines > BUDGET ? `has ${lines} lines; a note has at most ${BUDGET}` : '',
      index.includes(`(${name})`) ? '' : `is not listed in ${INDEX}`,
      numbers.has(number) ? `shares its number ${number} with another note` : '',
    ];
    numbers.add(number);
    return found.filter((message) => message !== '').map((message) => ({ file, message }));
  });
}
