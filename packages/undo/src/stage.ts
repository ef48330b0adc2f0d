import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { namesIn } from './apply.ts';
import type { Operation } from './plan.ts';
import type { Store } from './store.ts';

/** One flush of the disk then serves many files. */
const SIDE_BY_SIDE = 32;

/**
 * Prepares every file that a rewind writes in the stage, with its bytes, type and permission bits, synced. Nothing else is touched: a full
 * disk shows here, before anything was changed.
 */
export async function stageFiles(store: Store, stage: string, operations: ReadonlyArray<Operation>): Promise<void> {
  mkdirSync(stage, { mode: 0o700 });
  writeFileSync(path.join(stage, '.gitignore'), '*\n');
  const written = operations.flatMap(({ to }, index) => (to === null ? [] : [{ to, index }]));
  if (written.length === 0) return;
  const index = path.join(store.statePath, 'stage.index');
  try {
    const lines = written.map(({ to, index: step }) => `${to.mode} ${to.blob}\tnew-${step}\n`);
    await store.git(['update-index', '--index-info'], { stdin: lines.join(''), index });
    await store.git(['checkout-index', '--all'], { index, workTree: stage });
  } finally {
    rmSync(index, { force: true });
  }
  for (let from = 0; from < written.length; from += SIDE_BY_SIDE) {
    const some = written.slice(from, from + SIDE_BY_SIDE);
    await Promise.all(some.map(({ to, index: step }) => settle(namesIn({ stage }, step).fresh, to.permissions)));
  }
}

async function settle(file: string, permissions: number): Promise<void> {
  if (lstatSync(file).isSymbolicLink()) return;
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  chmodSync(file, permissions);
}
