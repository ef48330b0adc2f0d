import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Names this process beyond doubt on this machine: a pid alone is used again, its start time is not, and a boot or a
 * container (pid namespace) tells equal pids apart.
 */
export function ownIdentity(): string {
  return JSON.stringify({ boot: bootId(), namespace: pidNamespace(), pid: process.pid, start: startTime(process.pid) });
}

type Identity = {
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly start: string | null;
};

/** `unknown` where this process can't see the other one: then only the lease decides. */
export function ownerState(owner: string): 'alive' | 'dead' | 'unknown' {
  const identity = readIdentity(owner);
  if (identity === null) return 'unknown';
  if (identity.boot !== bootId()) return 'dead';
  if (identity.namespace !== pidNamespace()) return 'unknown';
  if (identity.start === null) return isRunning(identity.pid) ? 'unknown' : 'dead';
  return startTime(identity.pid) === identity.start ? 'alive' : 'dead';
}

/** Milliseconds since the machine started, the same in every process of it; no change of the wall clock moves it. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function readIdentity(owner: string): Identity | null {
  try {
    const identity: Identity = JSON.parse(owner);
    return identity;
  } catch {
    return null;
  }
}

function bootId(): string {
  return readOr('/proc/sys/kernel/random/boot_id', 'unknown');
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'unknown';
  }
}

/** Field 22 of /proc/<pid>/stat; the command's name before it may hold spaces and brackets. A zombie counts as gone. */
function startTime(pid: number): string | null {
  const stat = readOr(`/proc/${pid}/stat`, '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return fallback;
  }
}
