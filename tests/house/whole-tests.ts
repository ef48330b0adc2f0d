import { type SyntaxNode, nameOf, nodesOf, walk } from './syntax.ts';
import { type Tree, type Violation, isCode, isTest, lineAt } from './tree.ts';

const TESTS = new Set(['it', 'test', 'describe', 'suite']);
const PARTIAL = new Set(['skip', 'only', 'todo']);

/** Every test runs: no skip, no only, no todo. */
export function wholeTests(tree: Tree): Violation[] {
  return tree.files
    .filter((file) => isCode(file) && isTest(file))
    .flatMap((file) => {
      const partial = nodesOf(tree, file).filter(isPartial);
      return partial.map((node) => ({
        file,
        line: lineAt(tree.read(file), node.start),
        message: `is marked ${nameOf(node['property'])}: every test runs, or goes`,
      }));
    });
}

function isPartial(node: SyntaxNode): boolean {
  if (node.type !== 'MemberExpression' || !PARTIAL.has(nameOf(node['property']) ?? '')) return false;
  return [...walk(node)].some((inner) => inner.type === 'Identifier' && TESTS.has(nameOf(inner) ?? ''));
}
