import type { Tree, Violation } from './tree.ts';

const ROOT = 'package.json';
const LOCKFILE = 'package-lock.json';
const CHANGES = 'CHANGELOG.md';

interface Versioned {
  readonly version?: string;
}

/** One version for the project, all of its packages and its lockfile, and a section of the changelog that says what is new in it. */
export function oneVersion(tree: Tree): Violation[] {
  const { version = 'none' } = read(tree, ROOT);
  const told = tree.read(CHANGES).includes(`\n## ${version}`);
  return [
    ...versions(tree)
      .filter((found) => found.version !== version)
      .map((found) => ({
        file: found.file,
        message: `${found.of} has version ${found.version}, the project ${version}`,
      })),
    ...(told ? [] : [{ file: CHANGES, message: `has no section "## ${version}"` }]),
  ];
}

function versions(tree: Tree): { file: string; of: string; version: string | undefined }[] {
  const manifests = tree.files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  const lock = read(tree, LOCKFILE);
  const locked = Object.entries(lock.packages ?? {}).filter(([place]) => /^(packages\/[^/]+)?$/.test(place));
  return [
    ...manifests.map((file) => ({ file, of: 'the package', version: read(tree, file).version })),
    { file: LOCKFILE, of: 'the lockfile', version: lock.version },
    ...locked.map(([place, { version }]) => ({ file: LOCKFILE, of: place === '' ? 'the root' : place, version })),
  ];
}

function read(tree: Tree, file: string): Versioned & { packages?: Record<string, Versioned> } {
  return JSON.parse(tree.read(file));
}
