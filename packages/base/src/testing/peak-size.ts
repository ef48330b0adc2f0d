import { readFileSync } from 'node:fs';

/**
 * The most memory that this program has had at one time, in bytes. Not `process.resourceUsage().maxRSS`: the kernel counts into that what
 * the process had before it became this program, which is the size of whoever started it.
 */
export function peakSize(): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  if (peak === null) throw new Error('/proc/self/status has no line VmHWM');
  return Number(peak[1]) * 1024;
}
