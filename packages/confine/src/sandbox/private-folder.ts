import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LAUNCHER } from './launch-text.ts';
import { systemCallFilter } from './system-calls.ts';

/**
 * A sandbox's own folder on the host, private to its owner. `tmp` and `varTmp` are what its processes see as /tmp and /var/tmp, and persist
 * between commands; the rest is out of their reach.
 */
export type PrivateFolder = {
  readonly at: string;
  readonly tmp: string;
  readonly varTmp: string;
  readonly emptyFile: string;
  /** Null if there is no filter for this machine. */
  readonly filter: string | null;
  readonly launcher: string;
  readonly remove: () => void;
};

export function makePrivateFolder(parent: string = tmpdir()): PrivateFolder {
  const at = mkdtempSync(path.join(parent, 'attractor-sandbox-'));
  const place = (name: string): string => path.join(at, name);
  mkdirSync(place('tmp'), { mode: 0o700 });
  mkdirSync(place('var-tmp'), { mode: 0o700 });
  writeFileSync(place('empty'), '', { mode: 0o400 });
  writeFileSync(place('launch'), LAUNCHER, { mode: 0o600 });
  const filter = systemCallFilter();
  if (filter !== null) writeFileSync(place('filter'), filter, { mode: 0o600 });
  return {
    at,
    tmp: place('tmp'),
    varTmp: place('var-tmp'),
    emptyFile: place('empty'),
    filter: filter === null ? null : place('filter'),
    launcher: place('launch'),
    remove: () => rmSync(at, { recursive: true, force: true, maxRetries: 2 }),
  };
}
