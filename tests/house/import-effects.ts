import { type SyntaxNode, importsOf, isFunction, isNode, nameOf, syntaxOf, walk } from './syntax.ts';
import { type Tree, type Violation, isProduct, lineAt } from './tree.ts';

/** Programs, not modules: they are started, never imported. */
const ENTRIES = /^packages\/(cli\/(src\/attractor\.ts|bin\/)|web\/src\/main\.tsx)/;

const DECLARES = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'VariableDeclaration',
  'EmptyStatement',
]);

/** Built-in modules whose functions only compute. */
const PURE_BUILTINS = new Set(['node:path', 'node:url', 'node:util', 'node:module', 'node:buffer']);
const EFFECTFUL_GLOBALS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']);

/** Nothing happens at import: at the top of a module there are declarations, and their values are computed, not fetched. */
export function importEffects(tree: Tree): Violation[] {
  const modules = tree.files.filter((file) => isProduct(file) && !ENTRIES.test(file));
  return modules.flatMap((file) => {
    const body = syntaxOf(tree, file)['body'];
    const effectful = effectfulNames(tree, file);
    return (Array.isArray(body) ? body.filter(isNode) : []).flatMap((statement) => {
      const found = effectIn(statement, effectful);
      return found === undefined
        ? []
        : [{ file, line: lineAt(tree.read(file), found.node.start), message: found.message }];
    });
  });
}

/** Names of Node functions with side effects. */
function effectfulNames(tree: Tree, file: string): Set<string> {
  const sites = importsOf(tree, file).filter(
    ({ specifier }) => specifier.startsWith('node:') && !PURE_BUILTINS.has(specifier),
  );
  return new Set([...EFFECTFUL_GLOBALS, ...sites.flatMap((site) => site.names)]);
}

function effectIn(statement: SyntaxNode, effectful: Set<string>): { node: SyntaxNode; message: string } | undefined {
  const isDeclaration = DECLARES.has(statement.type) || statement.type.startsWith('TS');
  if (!isDeclaration)
    return { node: statement, message: 'runs at import: only declarations may stand at the top of a module' };
  for (const node of walk(statement, (inner) => !isFunction(inner))) {
    const message = nodeEffect(node, effectful);
    if (message !== undefined) return { node, message };
  }
  return undefined;
}

function nodeEffect(node: SyntaxNode, effectful: Set<string>): string | undefined {
  if (node.type === 'AwaitExpression') return 'waits at import';
  if (node.type === 'ImportExpression') return 'loads another module at import';
  if (node.type === 'MemberExpression' && nameOf(node['object']) === 'process')
    return 'reads or changes the process at import';
  if (node.type !== 'CallExpression') return undefined;
  const callee = isNode(node['callee']) ? node['callee'] : undefined;
  const called = callee?.type === 'MemberExpression' ? nameOf(callee['object']) : nameOf(callee);
  return called !== undefined && effectful.has(called) ? `calls ${called} at import` : undefined;
}
