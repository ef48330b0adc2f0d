import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartGate } from '@attractor/store';
import type { DiskUsage, Finding } from './findings.ts';
import { finding, type SupervisorContext } from './check.ts';
import { removeFinished } from './finished-worktrees.ts';
import { gb, GB, LEAST_FREE, whyNoRoom, whyNotWritable } from '@attractor/system';
import { listOurWorktrees } from './our-worktrees.ts';

export async function measureDisk(watch: SupervisorContext): Promise<DiskUsage> {
  const worktrees = [];
  for (const { project, taskId, path } of await listOurWorktrees(watch.store, watch.home))
    worktrees.push({ projectId: project.id, taskId, path, bytes: await sizeOf(path) });
  const homeBytes = await sizeOf(watch.home);
  const inside = worktrees.filter(({ path }) => path.startsWith(`${watch.home}/`));
  const sum = (of: ReadonlyArray<{ readonly bytes: number }>): number => of.reduce((all, { bytes }) => all + bytes, 0);
  const space = await statfs(watch.home).catch(() => null);
  const { maxDiskGb } = watch.settings;
  return {
    totalBytes: homeBytes + sum(worktrees) - sum(inside),
    maxBytes: maxDiskGb === null ? null : Math.round(maxDiskGb * GB),
    freeBytes: space === null ? Number.MAX_SAFE_INTEGER : space.bavail * space.bsize,
    homeBytes,
    worktrees,
  };
}

/** Does not follow links; what can't be read counts as 0. */
async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return 0;
  if (!stats.isDirectory()) return stats.blocks * 512;
  let bytes = stats.blocks * 512;
  for (const name of await readdir(path).catch((): string[] => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}

/** Null while there is room. */
export function whyFull({ totalBytes, maxBytes, freeBytes }: DiskUsage): string | null {
  if (maxBytes !== null && totalBytes > maxBytes)
    return `Attractor uses ${gb(totalBytes)} of the allowed ${gb(maxBytes)}: finish or delete tasks, or raise maxDiskGb.`;
  if (freeBytes < LEAST_FREE) return `The disk has only ${gb(freeBytes)} left: free some space.`;
  return null;
}

/**
 * The disk space of this machine. It is measured only now and then, because that is expensive. Above the bound the worktrees of ended tasks
 * are removed first; while that is not enough no run starts here.
 */
export function watchDisk(home: string) {
  let full: string | null = null;
  let measured: number | null = null;
  const gate: StartGate = async () => {
    const locked = await whyNotWritable(home);
    if (locked !== null) return { code: 'no_home', message: locked };
    const message = full ?? (await whyNoRoom(home));
    return message === null ? null : { code: 'disk_full', message };
  };
  const check = async (watch: SupervisorContext): Promise<ReadonlyArray<Finding>> => {
    if (measured !== null && performance.now() - measured < watch.settings.measureEveryMs && full === null) return [];
    const findings: Finding[] = [];
    let usage = await measureDisk(watch);
    if (whyFull(usage) !== null) {
      findings.push(...(await removeFinished(watch, 0)));
      if (findings.length > 0) usage = await measureDisk(watch);
    }
    const now = whyFull(usage);
    if (now !== null && full === null)
      findings.push(finding('disk', { taskId: null, runId: null }, `No run starts on this machine. ${now}`));
    full = now;
    measured = performance.now();
    return findings;
  };
  return { gate, check };
}
