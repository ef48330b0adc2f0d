import { join } from 'node:path/posix';
import { type SyntaxNode, isNode, nameOf, syntaxOf } from './syntax.ts';
import { type Tree, type Violation, lineAt } from './tree.ts';

/** Libraries that other people's programs use. */
const DOORS = ['llm', 'agent', 'executor'].map((name) => `packages/${name}/src/index.ts`);

const CALLED = new Set(['FunctionDeclaration', 'ClassDeclaration']);

/** Every function and class that a library exports has a comment right before it that says what it is for: editors show it. */
export function documentedFunctions(tree: Tree): Violation[] {
  const found = DOORS.filter((door) => tree.files.includes(door)).flatMap((door) => handedOut(tree, door, 'all'));
  return [...new Map(found.map((one) => [`${one.file}:${one.line}`, one])).values()];
}

function handedOut(tree: Tree, file: string, wanted: ReadonlySet<string> | 'all'): Violation[] {
  const body = syntaxOf(tree, file)['body'];
  return (Array.isArray(body) ? body.filter(isNode) : []).flatMap((statement) => {
    const from = nameOf(statement['source']);
    if (from?.startsWith('.') === true) {
      const names = passedOn(statement, wanted);
      return names === 'all' || names.size > 0 ? handedOut(tree, join(file, '..', from), names) : [];
    }
    return undocumented(tree, { file, statement, wanted });
  });
}

/** Which names of the other module this statement re-exports. */
function passedOn(statement: SyntaxNode, wanted: ReadonlySet<string> | 'all'): ReadonlySet<string> | 'all' {
  if (statement.type === 'ExportAllDeclaration') return wanted;
  if (statement.type !== 'ExportNamedDeclaration' || !Array.isArray(statement['specifiers'])) return new Set();
  const passed = statement['specifiers']
    .filter(isNode)
    .filter((one) => wanted === 'all' || wanted.has(nameOf(one['exported']) ?? ''));
  return new Set(passed.flatMap((one) => nameOf(one['local']) ?? []));
}

type Site = { readonly file: string; readonly statement: SyntaxNode; readonly wanted: ReadonlySet<string> | 'all' };

function undocumented(tree: Tree, { file, statement, wanted }: Site): Violation[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : undefined;
  if (!isNode(declared) || !CALLED.has(declared.type)) return [];
  const name = nameOf(declared['id']) ?? '';
  const text = tree.read(file);
  const isAsked = wanted === 'all' || wanted.has(name);
  if (!isAsked || text.slice(0, statement.start).trimEnd().endsWith('*/')) return [];
  return [
    { file, line: lineAt(text, statement.start), message: `${name} is handed out without a word on what it does` },
  ];
}
