import { spawn } from 'node:child_process';
import { Failure } from './failure.mjs';
import { isStamped, matchesLockfile, stamp } from './installed.mjs';
import { npmCommand } from './npm.mjs';

const LAST_WORDS = 4_000;

/** npm's messages, and what a person can do about them. The first matching row is shown. */
const REMEDIES = [
  [/ENOSPC/, 'The disk is full. Free some space, then run the command again.'],
  [/EACCES|EPERM|EROFS/, 'This folder is not writable for you. Check its owner, then run the command again.'],
  [/EUSAGE/, 'package.json and package-lock.json disagree. Run `npm install` once and commit the lockfile.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i,
    'The npm registry could not be reached. Check the connection, or `npm config get registry` and `npm config get proxy`.',
  ],
  [
    /E404|ETARGET|notarget/,
    'The npm registry lacks a package of the lockfile. Choose a complete registry: `npm config set registry URL`.',
  ],
  [/EINTEGRITY/, 'A download was damaged. Run `npm cache clean --force`, then the command again.'],
  [/spawn .*npm ENOENT/, 'npm was not found. Install Node.js with npm, then run the command again.'],
];

/**
 * Brings node_modules in line with the lockfile, or does nothing if it already is. Call it under the preparation lock. Returns whether
 * something was installed; a failure throws a Failure. `npm` is the program to call.
 */
export async function ensureInstalled(root, say, npm = npmCommand()) {
  if (isStamped(root)) return false;
  if (matchesLockfile(root)) {
    stamp(root);
    return false;
  }
  await install(root, say, npm);
  stamp(root);
  return true;
}

async function install(root, say, npm) {
  const started = Date.now();
  say('installing dependencies from package-lock.json (about a minute the first time)');
  const beat = setInterval(() => say(`still installing, ${Math.round((Date.now() - started) / 1000)} s`), 15_000);
  const { code, output } = await npmCi(root, npm).finally(() => clearInterval(beat));
  if (code !== 0) throw new Failure(explain(output));
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Install scripts are off: nothing in the lockfile needs one, and no dependency's code runs at install. */
function npmCi(root, [command, ...first]) {
  const flags = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const quiet = ['--loglevel=error', '--no-progress'];
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...flags, ...quiet], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-LAST_WORDS));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const released = stopWith(child);
    const end = (code, note) => {
      released();
      resolve({ code, output: `${output}${note}` });
    };
    child.on('error', (error) => end(1, error.message));
    child.on('close', (code) => end(code ?? 1, ''));
  });
}

/** An interrupted install must not continue alone: the next start would work in the same folder. */
function stopWith(child) {
  const stop = (signal, number) => {
    child.kill(signal);
    process.exit(128 + number);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => process.off('SIGINT', stop).off('SIGTERM', stop);
}

function explain(output) {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const advice = remedy ?? 'Read the lines above, then try `npm ci` by hand.';
  return `The dependencies could not be installed.\n${output.trim()}\n\n${advice}`;
}
