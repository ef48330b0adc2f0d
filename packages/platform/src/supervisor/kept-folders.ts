import { type Dirent, existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { git, type Repository, worktreeFolders } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding } from './check.ts';
import { whyEnded } from './ended-tasks.ts';
import { listCheckouts, whileThere } from './our-worktrees.ts';

/**
 * Removes worktrees that were moved aside because they contained repositories, once their task has ended and they are old. Their files are
 * under a rescue ref; a folder stays as long as a repository in it has anything that is nowhere else.
 */
export const keptFolders: Check = async ({ store, home, settings }) => {
  const findings: Finding[] = [];
  for (const { repository } of await listCheckouts(store, home)) {
    for (const path of await listKept(repository)) {
      const taskId = KEPT.exec(basename(path))?.[1];
      if (taskId === undefined || (await ageOf(path)) < settings.keepFoldersMs) continue;
      const why = await whyEnded(store.read, taskId, settings.keepWorktreesMs);
      if (why === null || (await whileThere([path], () => holdsOwnWork(path))) !== false) continue;
      await rm(path, { recursive: true, force: true });
      findings.push(finding('kept-folders', { taskId, runId: null }, `Removed ${path}: ${why}`));
    }
  }
  return findings;
};

async function listKept(repository: Repository): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  for (const folder of worktreeFolders(repository))
    for (const name of await readdir(folder).catch((): string[] => [])) found.push(join(folder, name));
  return found;
}

const KEPT = /^(tsk_[0-9a-z]+)(?:-attempt-[\d-]+)?\.kept-[0-9a-z]+$/;

/** Anything but a real folder never counts as old. */
async function ageOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true ? Date.now() - stats.mtimeMs : -Infinity;
}

async function holdsOwnWork(folder: string): Promise<boolean> {
  for (const repository of await repositoriesIn(folder)) {
    const status = await git(['status', '--porcelain', '--untracked-files=all'], { cwd: repository });
    const own = await git(['rev-list', '--count', '--all', 'HEAD', '--not', '--remotes'], { cwd: repository });
    if (!status.ok || status.value !== '' || !own.ok || own.value !== '0') return true;
  }
  return false;
}

/** Repositories below the folder, except its own link to the task's repository. Links are not followed. */
async function repositoriesIn(folder: string): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  const look = async (at: string): Promise<void> => {
    const entries: ReadonlyArray<Dirent> = await readdir(at, { withFileTypes: true });
    if (at !== folder && (existsSync(join(at, '.git')) || isBare(entries))) found.push(at);
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== '.git') await look(join(at, basename(entry.name)));
  };
  await look(folder);
  return found;
}

/** Without a checkout there is nothing to compare: git refuses its status, and the folder stays. */
function isBare(entries: ReadonlyArray<Dirent>): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => entries.some((entry) => entry.name === name));
}
