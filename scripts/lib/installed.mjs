import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STAMP = join('node_modules', '.attractor-installed');
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Whether node_modules was stamped for exactly these manifests. Reads a few small files, so it costs a few milliseconds. */
export function isStamped(root) {
  return existsSync(join(root, STAMP)) && readFileSync(join(root, STAMP), 'utf8') === manifestHash(root);
}

/** Written last, so an interrupted install never has a stamp. */
export function stamp(root) {
  linkCommand(root);
  writeFileSync(join(root, STAMP), manifestHash(root));
}

/**
 * Whether node_modules matches the lockfile, without a stamp: true after a manual `npm ci` and after a change of a package.json that is not
 * about dependencies.
 */
export function matchesLockfile(root) {
  const hidden = readJson(join(root, 'node_modules', '.package-lock.json'));
  const lock = readJson(join(root, 'package-lock.json'));
  if (hidden === undefined || lock === undefined) return false;
  const wanted = Object.entries(lock.packages);
  return (
    wanted.every(([path, entry]) => isPresent(root, { path, entry, found: hidden.packages[path] })) &&
    manifests(root).every((path) => asksForTheSame(readJson(join(root, path)), lock.packages[entryName(path)]))
  );
}

function isPresent(root, { path, entry, found }) {
  if (!path.includes('node_modules')) return true;
  if (found === undefined) return entry.optional === true;
  return found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path));
}

function asksForTheSame(manifest, entry = {}) {
  return SECTIONS.every((section) => flat(manifest[section]) === flat(entry[section]));
}

function flat(dependencies = {}) {
  return JSON.stringify(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function entryName(manifestPath) {
  const folder = dirname(manifestPath);
  return folder === '.' ? '' : folder;
}

function manifestHash(root) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  for (const path of ['package-lock.json', ...manifests(root)]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function manifests(root) {
  const packages = readdirSync(join(root, 'packages')).toSorted();
  const paths = packages.map((name) => join('packages', name, 'package.json'));
  return ['package.json', ...paths.filter((path) => existsSync(join(root, path)))];
}

/** npm links a workspace's command only if its file existed at install time; later ones are linked here. */
function linkCommand(root) {
  const link = join(root, 'node_modules', '.bin', 'attractor');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join('..', '@attractor', 'cli', 'bin', 'attractor.js'), link);
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
