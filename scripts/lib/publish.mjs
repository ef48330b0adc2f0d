import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * Puts a build to use: it is written into a new empty folder, and then the link `dist` is switched to it in one step. So nobody ever sees
 * half a build or files of another one. The previous build stays until the next, for running commands.
 *
 * @param {string} root the checkout
 * @param {string} dist where the build is looked for
 * @param {{ name: string, text?: string | Uint8Array, copy?: string }[]} files with their text, or to be copied from somewhere
 */
export function publish(root, dist, files) {
  const builds = join(root, '.cache', 'builds');
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(join(builds, 'build-'));
  chmodSync(folder, 0o755);
  for (const file of files) place(folder, file);
  const before = existsSync(dist) ? basename(realpathSync(dist)) : undefined;
  lead(dist, folder);
  const old = readdirSync(builds).filter((name) => name !== basename(folder) && name !== before);
  for (const name of old) rmSync(join(builds, name), { recursive: true });
}

/** Every file below a folder, as a path from there. */
export function filesUnder(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name);
    return entry.isDirectory() ? filesUnder(folder, path) : [path];
  });
}

function place(folder, { name, text, copy }) {
  const target = join(folder, name);
  mkdirSync(dirname(target), { recursive: true });
  if (copy === undefined) writeFileSync(target, text);
  else cpSync(copy, target);
  if (name === 'attractor.js') chmodSync(target, 0o755);
}

function lead(dist, folder) {
  const link = `${dist}.new`;
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(dist), folder), link);
  // Until 0.1.0 it was a folder, and no link can be renamed over a folder.
  if (lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) rmSync(dist, { recursive: true });
  renameSync(link, dist);
}
