import { setFlagsFromString } from 'node:v8';

/**
 * For a process that lives for days: from now on the part of its memory that is for new objects stays as large as it is. It would grow with
 * every peak, to 64 MB, and never become smaller.
 */
export function keepYoungObjectsFew(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
