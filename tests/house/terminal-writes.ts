import { type SyntaxNode, importsOf, isNode, nameOf, nodesOf, walk } from './syntax.ts';
import { type Tree, type Violation, isProduct, lineAt } from './tree.ts';

/** The boundary: what is printed, and what a person is asked. */
const PRINTS = 'packages/console/src/terminal/put.ts';
const ASKS = 'packages/console/src/terminal/questions.ts';
/** Their children are ourselves on a newer Node, and a command inside the sandbox whose streams are pipes. */
const HANDS_ON = new Set([
  'packages/cli/src/hand-over.ts',
  // The person's own editor, which has to have the whole terminal.
  'packages/console/src/terminal/editor.ts',
  'packages/confine/src/sandbox/network/bridge.ts',
]);
const STREAMS = new Set(['stdout', 'stderr']);

/** A model's, a repository's or a server's control characters reach no terminal: everything printed goes through one file. */
export function terminalWrites(tree: Tree): Violation[] {
  const files = tree.files.filter(
    (file) => /^packages\/(?!web\/)[^/]+\/src\//.test(file) && isProduct(file) && file !== PRINTS,
  );
  return files.flatMap((file) => {
    const text = tree.read(file);
    const written = nodesOf(tree, file).flatMap((node) => {
      const message = refusal(node, file);
      return message === null ? [] : [{ file, line: lineAt(text, node.start), message }];
    });
    const imported = importsOf(tree, file).flatMap(({ specifier, names, line }) => {
      const message = refusedImport(specifier, names, file);
      return message === null ? [] : [{ file, line, message }];
    });
    return [...written, ...imported];
  });
}

const PRINT_THERE = `writes to the terminal: use putText or putStyled of ${PRINTS}`;

function refusedImport(specifier: string, names: ReadonlyArray<string>, file: string): string | null {
  if (specifier === '@clack/prompts' && file !== ASKS) return `asks at the terminal: use ${ASKS}`;
  return /^(?:node:)?process$/.test(specifier) && names.some((name) => STREAMS.has(name)) ? PRINT_THERE : null;
}

function refusal(node: SyntaxNode, file: string): string | null {
  if (node.type === 'MemberExpression') {
    const object = isNode(node['object']) ? node['object'] : null;
    if (nameOf(object) === 'console') return PRINT_THERE;
    const isStream =
      object?.type === 'MemberExpression' &&
      nameOf(object['object']) === 'process' &&
      STREAMS.has(nameOf(object['property']) ?? '');
    return isStream && /^(?:write|end|pipe|_write)$/.test(nameOf(node['property']) ?? '') ? PRINT_THERE : null;
  }
  if (node.type === 'VariableDeclarator' && nameOf(node['init']) === 'process')
    return [...walk(node)].some((inner) => inner.type === 'Property' && STREAMS.has(nameOf(inner['key']) ?? ''))
      ? PRINT_THERE
      : null;
  if (node.type === 'Property' && nameOf(node['key']) === 'stdio' && !HANDS_ON.has(file))
    return [...walk(node)].some((inner) => inner !== node && inner['value'] === 'inherit')
      ? 'hands its terminal to another program: read what that prints and pass it on'
      : null;
  return node.type === 'CallExpression' ? writesDescriptor(node) : null;
}

/** `writeSync(1, …)`. */
function writesDescriptor(node: SyntaxNode): string | null {
  const callee = isNode(node['callee']) ? node['callee'] : null;
  const name = callee?.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
  const first: unknown = Array.isArray(node['arguments']) ? node['arguments'][0] : null;
  const isStream = isNode(first) && (first['value'] === 1 || first['value'] === 2);
  return isStream && /^(?:writeSync|writeFileSync|appendFileSync|createWriteStream)$/.test(name ?? '')
    ? PRINT_THERE
    : null;
}
