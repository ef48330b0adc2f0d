import { type SyntaxNode, importsOf, nameOf, nodesOf, walk } from './syntax.ts';
import { type Tree, type Violation, isProduct, lineAt } from './tree.ts';

/** Where values from outside come in; all other code gets them as options. The library's one default is the second. */
const ALLOWED = /^packages\/(server\/src\/compose\.ts|system\/src\/environment-variables\.ts|cli\/)/;
const ADVICE =
  'reads the environment: take the value as an option; only packages/server/src/compose.ts, packages/system/src/environment-variables.ts and packages/cli may read it';

export function environmentReads(tree: Tree): Violation[] {
  const files = tree.files.filter((file) => isProduct(file) && !ALLOWED.test(file));
  return files.flatMap((file) => {
    const text = tree.read(file);
    const read = nodesOf(tree, file)
      .filter(isRead)
      .map((node) => ({ file, line: lineAt(text, node.start), message: ADVICE }));
    const imported = importsOf(tree, file).filter(
      ({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env'),
    );
    return [...read, ...imported.map(({ line }) => ({ file, line, message: ADVICE }))];
  });
}

/** `process.env`, `process['env']`, and `const { env } = process`. */
function isRead(node: SyntaxNode): boolean {
  if (node.type === 'MemberExpression')
    return nameOf(node['object']) === 'process' && nameOf(node['property']) === 'env';
  if (node.type !== 'VariableDeclarator' || nameOf(node['init']) !== 'process') return false;
  return [...walk(node)].some((inner) => inner.type === 'Property' && nameOf(inner['key']) === 'env');
}
