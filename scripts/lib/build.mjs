import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './bundle.mjs';
import { Failure } from './failure.mjs';
import { findNode24 } from './node24.mjs';
import { run, toolEnvironment } from './run.mjs';
import { fingerprint } from './sources.mjs';

const STAMP = '.built.json';

/** The built command, whether or not it is there yet. */
export function builtCommand(root) {
  return join(root, 'packages', 'cli', 'dist', 'attractor.js');
}

/** Whether the build is there and made from exactly these sources. */
export function isBuilt(root) {
  return (
    existsSync(builtCommand(root)) && readStamp(join(root, 'packages', 'cli', 'dist')).fingerprint === fingerprint(root)
  );
}

/** What the last build made, entry last, as paths below the folder of the built command. */
export function builtFiles(root) {
  return readStamp(dirname(builtCommand(root))).files ?? [];
}

/**
 * Builds the command and the web app beside it. Call it under the preparation lock. Answers whether something was
 * built; a failure throws a Failure.
 *
 * A command that is running keeps working through a build: files appear by rename, the entry last, and the previous
 * build's chunks stay until the build after.
 */
export async function ensureBuilt(root, say) {
  if (isBuilt(root)) return false;
  const started = Date.now();
  const print = fingerprint(root);
  const dist = join(root, 'packages', 'cli', 'dist');
  say('building the command and the web app');
  const web = await buildWeb(root);
  const command = await bundle(join(root, 'packages', 'cli')).catch((error) => {
    throw new Failure(`The command could not be built.\n${error.message}`);
  });
  publish(dist, [...web, ...command], print);
  say(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

async function buildWeb(root) {
  const node = findNode24(root);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const cwd = join(root, 'packages', 'web');
  const argv = [node, vite, 'build', '--outDir', 'dist', '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output } = await run(argv, { cwd, env: toolEnvironment(root, node, { NODE_ENV: 'production' }) });
  if (code !== 0) throw new Failure(`The web app could not be built.\n${output.trim()}`);
  const files = filesUnder(join(cwd, 'dist'));
  const pageLast = files.toSorted((a, b) => Number(a === 'index.html') - Number(b === 'index.html'));
  return pageLast.map((name) => ({ name: join('web', name), copy: join(cwd, 'dist', name) }));
}

function publish(dist, files, print) {
  const previous = readStamp(dist).files ?? [];
  const names = files.map((file) => file.name);
  mkdirSync(dist, { recursive: true });
  for (const file of files) place(dist, file);
  const keep = new Set([STAMP, ...names, ...previous]);
  for (const name of filesUnder(dist)) if (!keep.has(name)) rmSync(join(dist, name));
  place(dist, { name: STAMP, text: JSON.stringify({ fingerprint: print, files: names }) });
}

function place(dist, { name, text, copy }) {
  const target = join(dist, name);
  const fresh = `${target}.new`;
  mkdirSync(dirname(target), { recursive: true });
  if (copy === undefined) writeFileSync(fresh, text);
  else cpSync(copy, fresh);
  if (name === 'attractor.js') chmodSync(fresh, 0o755);
  renameSync(fresh, target);
}

function readStamp(dist) {
  const path = join(dist, STAMP);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

function filesUnder(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name);
    return entry.isDirectory() ? filesUnder(folder, path) : [path];
  });
}
