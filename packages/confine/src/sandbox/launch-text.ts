import path from 'node:path';
import { bashWord } from '@attractor/system';
import { JOIN } from './control-groups.ts';

/** Where bubblewrap finds its arguments and the filter among its descriptors. It closes both before the command starts. */
export const ARGUMENTS_DESCRIPTOR = '8';
export const FILTER_DESCRIPTOR = '9';

/**
 * What a process does for itself before it becomes bubblewrap: takes the bound on file sizes (in blocks of 512 bytes), opens the arguments
 * and the filter, joins the control group. A fixed text: its arguments are never read as shell.
 */
export const LAUNCHER = `filter=$1; group=$2; blocks=$3; arguments=$4; shift 4
ulimit -c 0
ulimit -f "$blocks" || exit 125
exec ${ARGUMENTS_DESCRIPTOR}<"$arguments" || exit 125
if [ -n "$filter" ]; then exec ${FILTER_DESCRIPTOR}<"$filter" || exit 125; fi
if [ -n "$group" ]; then echo 0 >"$group" || exit 125; fi
exec "$@"
`;

/** Null: there is none here. */
type Limits = { readonly filter: string | null; readonly kilobytes: number };

type LaunchFiles = { readonly launcher: string; readonly group: string | null; readonly argumentFile: string };

/** The words of a command line up to those of bubblewrap. */
export function launchWords(
  { filter, kilobytes }: Limits,
  { launcher, group, argumentFile }: LaunchFiles,
): readonly [string, ...string[]] {
  const join = group === null ? '' : path.join(group, JOIN);
  return ['/bin/sh', launcher, filter ?? '', join, String(kilobytes * 2), argumentFile];
}

/**
 * The same for a bash that waits for its command. `script` does ahead all that needs no command; above all it joins a control group, for
 * which the kernel may let it wait ten milliseconds. `skip` is for when the words of the command are its positional parameters, and takes
 * off those that are done. A bash that could not prepare itself starts the launcher as everybody does.
 */
export type PreparationText = { readonly script: string; readonly skip: string };

export function preparationText({ filter, kilobytes }: Limits, group: string | null): PreparationText {
  const steps = [
    'ulimit -c 0',
    // Bash counts in blocks of 1024 bytes.
    `ulimit -f ${kilobytes}`,
    ...(filter === null ? [] : [`exec ${FILTER_DESCRIPTOR}<${bashWord(filter)}`]),
    ...(group === null ? [] : [`echo 0 >${bashWord(path.join(group, JOIN))}`]),
    'attractor_ready=1',
  ];
  return { script: `{ ${steps.join(' && ')}; } 2>/dev/null`, skip: SKIP };
}

const SKIP = `{ [ -z "$attractor_ready" ] || { exec ${ARGUMENTS_DESCRIPTOR}<"$6" && shift 6; }; }`;
