import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const IGNORED = new Set(['node_modules', 'dist', 'fixtures', 'test-support']);
const TEST_FILE = /\.test\.tsx?$/;
const OUTSIDE_PACKAGES = ['package-lock.json', 'tsconfig.base.json', join('scripts', 'lib', 'bundle.mjs')];
const FOLDERS = ['packages', join('scripts', 'fast-start')];

/**
 * A fingerprint of everything that goes into the build: path, size and modification time of every source file. Nothing is read, so a start
 * with nothing to build takes a few milliseconds.
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const path of [...OUTSIDE_PACKAGES, ...FOLDERS.flatMap((folder) => sourcesUnder(root, folder))]) {
    const { size, mtimeMs } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {};
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function sourcesUnder(root, folder) {
  const entries = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (IGNORED.has(entry.name)) return [];
    if (entry.isDirectory()) return sourcesUnder(root, path);
    return TEST_FILE.test(entry.name) || entry.name.endsWith('.md') ? [] : [path];
  });
}
