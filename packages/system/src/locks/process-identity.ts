import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A process, distinct from every other with the same id: by its start time, its machine's boot, its pid namespace (containers have their
 * own), and its machine. Null if the system does not tell.
 */
export type ProcessIdentity = {
  readonly pid: number;
  readonly started: string | null;
  readonly boot?: string | null;
  readonly space?: string | null;
  readonly machine?: string;
};

/** Our own identity, for a lock that others will find. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** For a process that is visible from here. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startOf(pid), boot: bootId(), space: pidSpace(), machine: machineId() };
}

/** `unknown`: on another machine or in another container, where we can't look. */
export function fateOf(other: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (other.pid <= 0) return 'dead';
  if (other.boot !== undefined && other.boot !== bootId()) return other.machine === machineId() ? 'dead' : 'unknown';
  if (other.space !== undefined && other.space !== pidSpace()) return 'unknown';
  return lives(other) ? 'alive' : 'dead';
}

function lives({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** The process's start time, in the kernel's clock ticks since boot. A zombie counts as gone. */
function startOf(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
}

function bootId(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function pidSpace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function machineId(): string {
  return readOrNull('/etc/machine-id')?.trim() || hostname();
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
