import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './failure.mjs';
import { run } from './run.mjs';

/** What the tests need from the machine: the command to look for, and its Debian package. */
const NEEDED = [
  { command: 'git', debian: 'git' },
  { command: 'git-lfs', debian: 'git-lfs' },
  { command: 'chromium', debian: 'chromium' },
  { command: 'bwrap', debian: 'bubblewrap' },
  { command: 'strace', debian: 'strace' },
];

/** Installs the missing packages if possible, otherwise says what to do. */
export async function ensureDebianPackages(root, say) {
  const missing = missingPackages();
  if (missing.length === 0) return 'all present';
  const byHand = `Install them and run the command again: apt-get install ${missing.join(' ')}`;
  if (!onPath('apt-get')) throw new Failure(`Missing on this machine, which has no apt-get: ${missing.join(', ')}.`);
  if (process.getuid?.() !== 0)
    throw new Failure(`Missing, and only root may install: ${missing.join(', ')}. ${byHand}`);
  say(`installing Debian packages: ${missing.join(', ')}`);
  await aptGet(root, ['update'], byHand);
  await aptGet(root, ['install', '--yes', '--no-install-recommends', ...missing], byHand);
  return `installed ${missing.join(', ')}`;
}

/** @param {string} [path] the search path, as in PATH */
export function missingPackages(path) {
  return NEEDED.filter(({ command }) => !onPath(command, path)).map(({ debian }) => debian);
}

function onPath(command, path = process.env.PATH ?? '') {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, command)));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function aptGet(root, args, byHand) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code, output } = await run(['apt-get', ...args], { cwd: root, env });
  if (code !== 0) throw new Failure(`apt-get ${args[0]} failed.\n${output.trim().slice(-2_000)}\n${byHand}`);
}
