import { existsSync } from 'node:fs';
import { EMPTY_FOLDER, mountArguments } from './mounts.ts';
import type { PrivateFolder } from './private-folder.ts';

/**
 * The whole file system read-only, with a separate /proc, /dev, /tmp and /run. /proc is read-only as well: to the kernel's settings, a
 * sandbox that root started is still root. /run is empty because sockets of the system and of the session are there.
 */
export function systemArguments({ tmp, varTmp }: PrivateFolder): ReadonlyArray<string> {
  return [
    ...WHOLE_SYSTEM,
    ...(existsSync('/run') ? [...EMPTY_FOLDER, '/run'] : []),
    ...mountArguments([
      ...STILL_NEEDED.filter((at) => existsSync(at)).map((at) => ({ at, as: 'read-only' }) as const),
      { at: '/tmp', as: 'writable', from: tmp },
      ...(existsSync('/var/tmp') ? [{ at: '/var/tmp', as: 'writable', from: varTmp } as const] : []),
    ]),
  ];
}

const WHOLE_SYSTEM = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'];

/** Where one distribution keeps its programs. */
const STILL_NEEDED = ['/run/current-system', '/run/wrappers'];
