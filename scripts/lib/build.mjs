import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './bundle.mjs';
import { Failure } from './failure.mjs';
import { findNode24 } from './node24.mjs';
import { filesUnder, publish } from './publish.mjs';
import { run, toolEnvironment } from './run.mjs';
import { fingerprint } from './sources.mjs';

const STAMP = '.built.json';

/** The path of the built command, whether or not it exists yet. */
export function builtCommand(root) {
  return join(root, 'packages', 'cli', 'dist', 'attractor.js');
}

/** Whether the build exists and was made from exactly these sources. */
export function isBuilt(root) {
  return existsSync(builtCommand(root)) && readStamp(root).fingerprint === fingerprint(root);
}

/** What the last build made, as paths below the folder of the built command. */
export function builtFiles(root) {
  return readStamp(root).files ?? [];
}

/**
 * Builds the command and the web app beside it. Call it under the preparation lock. Returns whether something was built; a failure throws a
 * Failure, and the previous build stays in use.
 */
export async function ensureBuilt(root, say) {
  if (isBuilt(root)) return false;
  const started = Date.now();
  const print = fingerprint(root);
  say('building the command and the web app');
  const both = [buildWeb(root), buildCommand(root)];
  await Promise.allSettled(both);
  const files = (await Promise.all(both)).flat();
  const stamp = JSON.stringify({ fingerprint: print, files: files.map(({ name }) => name) });
  publish(root, dirname(builtCommand(root)), [...files, { name: STAMP, text: stamp }]);
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
  return filesUnder(join(cwd, 'dist')).map((name) => ({ name: join('web', name), copy: join(cwd, 'dist', name) }));
}

async function buildCommand(root) {
  return bundle(join(root, 'packages', 'cli')).catch((error) => {
    throw new Failure(`The command could not be built.\n${error.message}`);
  });
}

function readStamp(root) {
  const path = join(dirname(builtCommand(root)), STAMP);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
