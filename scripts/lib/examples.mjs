import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findNode24 } from './node24.mjs';
import { PAGES, programOf } from './page-program.mjs';
import { run } from './run.mjs';

const DEADLINE_MS = 600_000;
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

/**
 * Runs each examples/*.ts, and the program of each page, separately, with an empty home and no keys, without a network if the machine
 * allows that.
 */
export async function runExamples(root) {
  const folder = join(root, 'examples');
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.ts'))
        .toSorted()
    : [];
  const programs = [
    ...names.map((name) => ({ name: `examples/${name}`, file: join(folder, name) })),
    ...PAGES.filter((page) => existsSync(join(root, page))).map((page) => ({ name: page, file: pageFile(root, page) })),
  ];
  const prefix = await offlinePrefix(root);
  const failures = [];
  for (const { name, file } of programs) {
    const { code, output } = await runExample(root, file, prefix);
    if (code !== 0) failures.push(`${name} ended with ${code}\n${output.trim()}`);
  }
  const note = `${programs.length} run${prefix.length > 0 ? ' without a network' : ''}`;
  return failures.length === 0 ? { passed: 1, failed: 0, note } : { passed: 0, failed: 1, failures, note };
}

/** Beside the packages, so that it finds what it imports. */
function pageFile(root, page) {
  const file = join(root, '.cache', 'pages', `${page.replaceAll('/', '-')}.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, programOf(readFileSync(join(root, page), 'utf8')));
  return file;
}

/** bubblewrap keeps loopback and removes everything else, but not every machine allows it; then the example runs without it. */
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
