import { type SyntaxNode, importsOf, isNode, nameOf, nodesOf } from './syntax.ts';
import { type Tree, type Violation, isCode, isTest, lineAt } from './tree.ts';

/** The only place that starts a shell, because running the user's command line is its purpose. */
const THE_SHELL = 'packages/agent/src/execution/shell.ts';
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', '/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh', '/usr/bin/bash']);
const SHELL_FUNCTIONS = new Set(['exec', 'execSync']);

/** No shell strings anywhere, tests included; and only one shell in the product. */
export function shells(tree: Tree): Violation[] {
  return tree.files.filter(isCode).flatMap((file) => {
    const text = tree.read(file);
    const nodes = nodesOf(tree, file);
    const found = nodes.flatMap((node) => {
      const message = refusal(node, file);
      return message === undefined ? [] : [{ file, line: lineAt(text, node.start), message }];
    });
    return [...found, ...importViolations(tree, file)];
  });
}

function importViolations(tree: Tree, file: string): Violation[] {
  const sites = importsOf(tree, file).filter(({ specifier }) => /^(node:)?child_process$/.test(specifier));
  const named = sites.filter(({ names }) => names.some((name) => SHELL_FUNCTIONS.has(name)));
  return named.map(({ line }) => ({
    file,
    line,
    message: 'imports exec: use spawn or execFile with a list of arguments',
  }));
}

function refusal(node: SyntaxNode, file: string): string | undefined {
  if (node.type === 'Property' && nameOf(node['key']) === 'shell' && isOn(node['value']))
    return 'asks for a shell: pass a list of arguments';
  if (node.type !== 'CallExpression') return undefined;
  const callee = isNode(node['callee']) ? node['callee'] : undefined;
  const isShellCall = callee?.type === 'MemberExpression' && SHELL_FUNCTIONS.has(nameOf(callee['property']) ?? '');
  if (isShellCall && /child|^cp$/i.test(nameOf(callee['object']) ?? ''))
    return 'calls exec: use spawn or execFile with a list of arguments';
  const mayStart = file === THE_SHELL || isTest(file);
  return !mayStart && startsShell(node) ? `starts a shell: only ${THE_SHELL} may` : undefined;
}

/** `true` or the name of a shell; a property that is merely called shell, as in a table of tools, is fine. */
function isOn(value: unknown): boolean {
  return isNode(value) && (value['value'] === true || SHELLS.has(nameOf(value) ?? ''));
}

/** A call whose first argument, or the first element of it, is a shell and that mentions `-c`. */
function startsShell(call: SyntaxNode): boolean {
  const args = Array.isArray(call['arguments']) ? call['arguments'].filter(isNode) : [];
  const words = args.flatMap((arg) => (Array.isArray(arg['elements']) ? arg['elements'].map(nameOf) : [nameOf(arg)]));
  return (
    words[0] !== undefined &&
    SHELLS.has(words[0]) &&
    words.some((word) => word !== undefined && /^-[a-z]*c$/.test(word))
  );
}
