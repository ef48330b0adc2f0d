import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockIfFree, lockKey } from '../locks/file-lock.ts';

const run = promisify(execFile);

/** `folder` has the packages below its node_modules; otherwise `missing` says why they can't be installed. */
export type InstalledPackages = { readonly folder: string } | { readonly missing: string };

/** What packages of programs call this machine: `linux-x64`, and `-musl` where that is its C library. */
export const PLATFORM = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;

/**
 * Exactly these packages from npm (`name@version`), in a cache outside the repository that every test of this machine shares. What they
 * depend on is not installed: name it too. If the registry answers and the installation fails, this throws, so that nothing is skipped
 * that could have run.
 */
export async function installedPackages(packages: ReadonlyArray<string>): Promise<InstalledPackages> {
  const folder = path.join(
    cacheFolder(),
    packages.map((name) => name.replace(/^@/, '').replaceAll(/[@/:]+/g, '-')).join('+'),
  );
  if (existsSync(folder)) return { folder };
  const release = await lock(folder);
  try {
    return existsSync(folder) ? { folder } : await install(packages, folder);
  } finally {
    release();
  }
}

async function install(packages: ReadonlyArray<string>, folder: string): Promise<InstalledPackages> {
  const silence = await registrySilence(packages[0] ?? '');
  if (silence !== null) return { missing: silence };
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(path.join(path.dirname(folder), 'installing-'));
  writeFileSync(path.join(draft, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', ...ONLY_THESE, ...packages], { cwd: draft });
  // Whole or not at all: a folder by this name is never half of an installation.
  renameSync(draft, folder);
  return { folder };
}

const ONLY_THESE = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--omit=peer'];

/** Files of tests run at once: the first one installs, the others wait for it. */
async function lock(folder: string): Promise<() => void> {
  for (;;) {
    const held = lockIfFree(lockKey(folder));
    if (held !== null) return held.release;
    await delay(100);
  }
}

/** A sandbox has temporary folders of its own: a program there would not be seen whole. */
function cacheFolder(): string {
  return path.join(homedir().startsWith('/tmp/') ? '/var/cache' : path.join(homedir(), '.cache'), 'attractor-tests');
}

async function registrySilence(name: string): Promise<string | null> {
  try {
    await run('npm', ['view', name, 'version', '--fetch-retries=0', '--fetch-timeout=15000'], { cwd: homedir() });
    return null;
  } catch (error) {
    return `the npm registry does not answer (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`;
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { header } = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined;
}
