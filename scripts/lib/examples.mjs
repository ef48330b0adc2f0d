import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode24 } from './node24.mjs';
import { run } from './run.mjs';

const DEADLINE_MS = 120_000;
const OFFLINE = [
  'bwrap',
  '--dev-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  '--unshare-net',
  '--unshare-pid',
  '--die-with-parent',
  '--',
];

/** Runs each examples/*.ts by itself, with an empty home and no keys, cut off from the network where the machine allows that. */
export async function runExamples(root) {
  const folder = join(root, 'examples');
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.ts'))
        .toSorted()
    : [];
  const prefix = await offlinePrefix(root);
  const failures = [];
  for (const name of names) {
    const { code, output } = await runExample(root, join(folder, name), prefix);
    if (code !== 0) failures.push(`examples/${name} ended with ${code}\n${output.trim()}`);
  }
  const note = `${names.length} run${prefix.length > 0 ? ' without a network' : ''}`;
  return failures.length === 0 ? { passed: 1, failed: 0, note } : { passed: 0, failed: 1, failures, note };
}

/** bubblewrap keeps loopback and takes away everything else, but not every machine lets it; then the example runs plain. */
async function offlinePrefix(root) {
  const { code } = await run([...OFFLINE, 'true'], { cwd: root });
  return code === 0 ? OFFLINE : [];
}

async function runExample(root, file, prefix) {
  const home = mkdtempSync(join(tmpdir(), 'attractor-example-'));
  const node = findNode24(root);
  try {
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };
    return await run([...prefix, node, file], { cwd: root, env, timeoutMs: DEADLINE_MS });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
