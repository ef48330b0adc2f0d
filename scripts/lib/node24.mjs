import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';

const WANTED_MAJOR = 24;

/**
 * The Node that runs the project: this process's own if it is new enough, otherwise the one that npm installed as an optional dependency.
 * Throws a Failure that says what to do if there is neither.
 */
export function findNode24(root) {
  if (Number.parseInt(process.versions.node, 10) >= WANTED_MAJOR) return process.execPath;
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(own)) return own;
  throw new Failure(
    `Attractor needs Node.js ${WANTED_MAJOR}; this is ${process.versions.node}, and npm has none for ` +
      `${process.platform}-${process.arch}. Install Node.js ${WANTED_MAJOR} and run the command again.`,
  );
}
