import { copyFileSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotRecord } from './log.ts';
import { ancestorsOf, nameOf, quotePath, unquotePath, type PathKey } from './path-bytes.ts';
import type { UndoContext } from './snapshot.ts';

/**
 * Which of these paths the ignore files of a snapshot excluded from it. They may have existed all along, unseen; a rewind that deleted them
 * (say a file with keys, ignored until the agent changed `.gitignore`) would remove what the agent never made.
 */
export async function ignoredAt(
  context: UndoContext,
  target: SnapshotRecord,
  paths: ReadonlyArray<PathKey>,
): Promise<Set<PathKey>> {
  const { store } = context;
  const folder = path.join(store.statePath, 'rules');
  const index = path.join(store.statePath, 'rules.index');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const listed = (await store.git(['ls-tree', '-r', target.tree])).split('\n');
    const rules = listed.filter((line) => nameOf(unquotePath(line.slice(line.indexOf('\t') + 1))) === '.gitignore');
    await store.git(['update-index', '--index-info'], { stdin: rules.map((line) => `${line}\n`).join(''), index });
    await store.git(['checkout-index', '--all', '--force'], { index, workTree: folder });
    copyRulesAbove(context, folder);
    const asked = await store.tryGit(['check-ignore', '--no-index', '--stdin'], {
      stdin: paths.map((one) => `${quotePath(one)}\n`).join(''),
      workTree: folder,
    });
    return new Set(asked.stdout.split('\n').filter(Boolean).map(unquotePath));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(index, { force: true });
  }
}

/** Ignore files between the repository's top and the workspace are in no snapshot; their current version counts. */
function copyRulesAbove({ store: { roots } }: UndoContext, folder: string): void {
  if (roots.prefix === '') return;
  for (const above of ['', ...ancestorsOf(roots.prefix.slice(0, -1))]) {
    const file = path.join(roots.root, above, '.gitignore');
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    mkdirSync(path.join(folder, above), { recursive: true });
    copyFileSync(file, path.join(folder, above, '.gitignore'));
  }
}
