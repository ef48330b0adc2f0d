import { posix } from 'node:path';
import { type InnerImport, innerImports } from './inner-imports.ts';
import type { Tree, Violation } from './tree.ts';

/** No file imports itself through other files, and no folder through its neighbours; types count. */
export function circles(tree: Tree): Violation[] {
  return [...innerImports(tree).values()].flatMap((imports) => [...fileCircles(imports), ...folderKnots(imports)]);
}

function fileCircles(imports: ReadonlyArray<InnerImport>): Violation[] {
  return circlesOf(imports.map(({ from, to }) => [from, to])).map((files) => ({
    file: files[0] ?? '',
    message: `stands in a circle of files: ${files.join(' → ')}`,
  }));
}

/** At every folder: its files and the folders in it, each folder as one. */
function folderKnots(imports: ReadonlyArray<InnerImport>): Violation[] {
  const folders = new Set(imports.flatMap(({ from, to }) => commonFolders(from, to)));
  return [...folders].toSorted().flatMap((folder) => {
    const edges = imports
      .filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`))
      .map(({ from, to }): Edge => [childOf(folder, from), childOf(folder, to)]);
    const knots = circlesOf(edges).filter((names) => names.some((name) => !/\.\w+$/.test(name)));
    return knots.map((names) => ({ file: folder, message: `holds a knot of folders: ${names.join(' · ')}` }));
  });
}

function commonFolders(one: string, other: string): string[] {
  const folder = posix.dirname(one);
  const found: string[] = [];
  for (let at = folder; at !== '.' && at !== '/'; at = posix.dirname(at)) {
    if (other.startsWith(`${at}/`)) found.push(at);
  }
  return found;
}

function childOf(folder: string, file: string): string {
  return file.slice(folder.length + 1).split('/')[0] ?? '';
}

type Edge = readonly [from: string, to: string];

/** Sets of nodes that can all reach each other (Tarjan); single nodes are left out. */
function circlesOf(edges: ReadonlyArray<Edge>): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  const seen = new Map<string, { readonly index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const state = { index: seen.size, low: seen.size, open: true };
    seen.set(node, state);
    stack.push(node);
    for (const other of next.get(node) ?? []) {
      const known = seen.get(other);
      if (known === undefined) state.low = Math.min(state.low, visit(other));
      else if (known.open) state.low = Math.min(state.low, known.index);
    }
    if (state.low === state.index) {
      const members = stack.splice(stack.indexOf(node));
      for (const member of members) Object.assign(seen.get(member) ?? {}, { open: false });
      if (members.length > 1) found.push(members.toSorted());
    }
    return state.low;
  };
  for (const node of next.keys()) if (!seen.has(node)) visit(node);
  return found;
}
