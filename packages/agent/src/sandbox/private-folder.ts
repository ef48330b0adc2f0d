import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemCallFilter } from './system-calls.ts';

/**
 * A sandbox's own folder on the host, for its owner alone. `tmp` and `varTmp` are what its processes see as /tmp and /var/tmp, and
 * keep from one command to the next; the rest is out of their reach.
 */
export type PrivateFolder = {
  readonly at: string;
  readonly tmp: string;
  readonly varTmp: string;
  readonly emptyFile: string;
  /** Null where there is no filter for this machine. */
  readonly filter: string | null;
  readonly launcher: string;
  readonly remove: () => void;
};

/** The filter's place among the descriptors, as the launcher opens it. */
export const FILTER_DESCRIPTOR = '9';

/**
 * Becomes bubblewrap, after what only a process can do for itself: opens the filter, joins the control group, takes the bound on
 * file sizes (in blocks of 512 bytes). A fixed text: its arguments are never read as shell.
 */
const LAUNCHER = `filter=$1; group=$2; blocks=$3; shift 3
ulimit -c 0
ulimit -f "$blocks" || exit 125
if [ -n "$filter" ]; then exec ${FILTER_DESCRIPTOR}<"$filter" || exit 125; fi
if [ -n "$group" ]; then echo 0 >"$group" || exit 125; fi
exec "$@"
`;

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
