import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { decodedText, messageOf } from '@attractor/base';
import { BUILT_IN, type SettingScope } from '../settings/origin.ts';
import type { TrustExamination } from '../trust/trust.ts';
import { type Findings, reportProblem } from './findings.ts';

/** `path` is from the tree's root, with slashes. */
export type TreeFile = { readonly path: string; readonly text: string };

/**
 * Files that belong together: a person's home, this program's home, a repository, or a plugin in one of them. A repository's files come
 * from the bytes that a person trusted; without trust there are none.
 */
export type Tree = {
  readonly kind: 'own' | 'person' | 'repository' | 'plugin';
  readonly root: string;
  readonly scope: SettingScope;
  /** The plugin's name. */
  readonly plugin: string | null;
  /** All files below a folder, or the one of that name, with this ending; in the order of their names. */
  readonly below: (folder: string, ending: string) => ReadonlyArray<TreeFile>;
};

const MAX_BYTES = 1 << 20;
const MAX_FILES = 2000;
const MAX_DEPTH = 8;

/** The person's own folders: read unchanged, links followed. */
export function folderTree(kind: 'own' | 'person', root: string, findings: Findings): Tree {
  return {
    kind,
    root,
    scope: 'user',
    plugin: null,
    below: (folder, ending) => {
      const walk: Walk = { root, ending, findings, files: [], seen: 0 };
      visit(walk, folder, 0);
      return walk.files;
    },
  };
}

export function repositoryTree({ root, state, files }: TrustExamination): Tree {
  const trusted = state === 'trusted' ? files : [];
  return {
    kind: 'repository',
    root,
    scope: 'project',
    plugin: null,
    below: (folder, ending) =>
      trusted
        .filter(({ path: name }) => isBelow(name, folder) && name.endsWith(ending))
        .map(({ path: name, content }) => ({ path: name, text: content })),
  };
}

function isBelow(name: string, folder: string): boolean {
  return folder === '' || name === folder || name.startsWith(`${folder}/`);
}

/** A person's own plugin in any location. */
export function installedTree(root: string, plugin: string, findings: Findings): Tree {
  return { ...folderTree('person', root, findings), kind: 'plugin', plugin };
}

/** A folder of another tree as a separate tree. */
export function pluginTree(tree: Tree, folder: string, plugin: string): Tree {
  return {
    kind: 'plugin',
    root: path.join(tree.root, folder),
    scope: tree.scope,
    plugin,
    below: (inner, ending) =>
      tree
        .below(inner === '' ? folder : `${folder}/${inner}`, ending)
        .map(({ path: name, text }) => ({ path: name.slice(folder.length + 1), text })),
  };
}

type Walk = {
  readonly root: string;
  readonly ending: string;
  readonly findings: Findings;
  readonly files: TreeFile[];
  seen: number;
};

function visit(walk: Walk, name: string, depth: number): void {
  const full = path.join(walk.root, name);
  try {
    const stats = statSync(full, { throwIfNoEntry: false });
    if (stats === undefined || walk.seen >= MAX_FILES) return;
    walk.seen += 1;
    if (stats.isDirectory()) {
      if (depth >= MAX_DEPTH) return;
      for (const inner of readdirSync(full).toSorted())
        if (!SKIPPED.has(inner)) visit(walk, join(name, inner), depth + 1);
    } else if (stats.isFile() && name.endsWith(walk.ending)) {
      if (stats.size > MAX_BYTES) throw new Error('it has more than 1 MB');
      walk.files.push({ path: name, text: decodedText(readFileSync(full)) });
    }
  } catch (error) {
    const origin = { ...BUILT_IN, scope: 'user' as const, file: full };
    const why = messageOf(error);
    reportProblem(walk.findings, { origin, line: null }, `can't be read (${why}): make it readable, or remove it`);
  }
}

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
