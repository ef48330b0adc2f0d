import { parseAst } from 'vitest/node';
import { type Tree, lineAt } from './tree.ts';

/* A node of the ESTree that the bundler's own parser gives, TypeScript nodes included. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface ImportSite {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Imported names; empty for `export *`, dynamic imports and imports for effect. */
  readonly names: ReadonlyArray<string>;
  readonly line: number;
}

const parsed = new WeakMap<Tree, Map<string, SyntaxNode>>();

export function syntaxOf(tree: Tree, file: string): SyntaxNode {
  const cache = parsed.get(tree) ?? new Map<string, SyntaxNode>();
  parsed.set(tree, cache);
  const program = cache.get(file) ?? parse(file, tree.read(file));
  cache.set(file, program);
  return program;
}

function parse(file: string, text: string): SyntaxNode {
  const program: unknown = parseAst(text, { lang: languageOf(file) });
  if (!isNode(program)) throw new Error(`${file}: the parser gave no program`);
  return program;
}

function languageOf(file: string): 'ts' | 'tsx' | 'js' {
  if (file.endsWith('.tsx')) return 'tsx';
  return file.endsWith('.ts') ? 'ts' : 'js';
}

const walked = new WeakMap<SyntaxNode, ReadonlyArray<SyntaxNode>>();

/** Every node of a file, parents first: found once, for all rules. */
export function nodesOf(tree: Tree, file: string): ReadonlyArray<SyntaxNode> {
  const program = syntaxOf(tree, file);
  const nodes = walked.get(program) ?? [...walk(program)];
  walked.set(program, nodes);
  return nodes;
}

/** Every node below, parents first. `into` may refuse to go down into a node. */
export function* walk(node: SyntaxNode, into: (node: SyntaxNode) => boolean = () => true): Generator<SyntaxNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    if (!into(next)) continue;
    for (const child of children(next).toReversed()) waiting.push(child);
  }
}

function children(node: SyntaxNode): ReadonlyArray<SyntaxNode> {
  const found: SyntaxNode[] = [];
  for (const name in node) {
    const value = node[name];
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) {
      if (isNode(value)) found.push(value);
    } else for (const item of value) if (isNode(item)) found.push(item);
  }
  return found;
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
  );
}

export function isFunction(node: SyntaxNode): boolean {
  return /Function/.test(node.type);
}

/** The name of an identifier, or the value of a string literal. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (typeof node['name'] === 'string') return node['name'];
  return typeof node['value'] === 'string' ? node['value'] : undefined;
}

const imports = new WeakMap<SyntaxNode, ReadonlyArray<ImportSite>>();

/** Every place that names another module: static, dynamic, re-exporting, in a type, and `require`. */
export function importsOf(tree: Tree, file: string): ReadonlyArray<ImportSite> {
  const program = syntaxOf(tree, file);
  const sites = imports.get(program) ?? findImports(tree, file);
  imports.set(program, sites);
  return sites;
}

function findImports(tree: Tree, file: string): ReadonlyArray<ImportSite> {
  const text = tree.read(file);
  return nodesOf(tree, file).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return [];
    return [{ specifier, typeOnly: isTypeOnly(node), names: importedNames(node), line: lineAt(text, node.start) }];
  });
}

const NAMES_A_MODULE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function specifierOf(node: SyntaxNode): string | undefined {
  if (NAMES_A_MODULE.has(node.type)) return nameOf(node['source']);
  const isRequire = node.type === 'CallExpression' && nameOf(node['callee']) === 'require';
  return isRequire && Array.isArray(node['arguments']) ? nameOf(node['arguments'][0]) : undefined;
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  const specifiers = specifiersOf(node);
  return (
    specifiers.length > 0 && specifiers.every((one) => one['importKind'] === 'type' || one['exportKind'] === 'type')
  );
}

function importedNames(node: SyntaxNode): string[] {
  return specifiersOf(node).flatMap(
    (one) => nameOf(one['imported']) ?? (one.type === 'ImportSpecifier' ? [] : (nameOf(one['local']) ?? [])),
  );
}

function specifiersOf(node: SyntaxNode): SyntaxNode[] {
  return Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : [];
}
