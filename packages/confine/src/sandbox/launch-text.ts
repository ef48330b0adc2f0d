import path from 'node:path';
import { bashWord } from '@attractor/system';
import { JOIN } from './control-groups.ts';

/** The descriptors at which bubblewrap finds its arguments and the filter, and writes how far it came. It closes them before the command starts. */
export const STATUS_DESCRIPTOR = '7';
export const ARGUMENTS_DESCRIPTOR = '8';
export const FILTER_DESCRIPTOR = '9';

/** Closes what a process inherited beyond its three streams: `kept` is a pattern of those that stay. */
function closeInherited(kept: string): string {
  const pattern = ['[012]', kept].filter(Boolean).join('|');
  const close = `case \${attractor_at##*/} in ${pattern}) ;; *) attractor_at=\${attractor_at##*/}; exec {attractor_at}>&-;; esac`;
  return `for attractor_at in /proc/self/fd/*; do ${close}; done`;
}

/**
 * What a process does for itself before it becomes bubblewrap: closes what it inherited, takes the bound on file sizes (in blocks of 1024
 * bytes), opens the arguments, the status and the filter, joins the control group. A fixed text: its arguments are never parsed as shell. Bash reads all
 * of it before it begins, since its own descriptor of this file is among those that it closes.
 */
export const LAUNCHER = `{
filter=$1; group=$2; blocks=$3; kept=$4; arguments=$5; status=$6; shift 6
${closeInherited('$kept')}
ulimit -c 0
ulimit -f "$blocks" || exit 125
exec ${ARGUMENTS_DESCRIPTOR}<"$arguments" ${STATUS_DESCRIPTOR}>"$status" || exit 125
if [ -n "$filter" ]; then exec ${FILTER_DESCRIPTOR}<"$filter" || exit 125; fi
if [ -n "$group" ]; then echo 0 >"$group" || exit 125; fi
exec "$@"
}
`;

/** Null: there is none here. */
type Limits = { readonly filter: string | null; readonly kilobytes: number };

type LaunchFiles = {
  readonly launcher: string;
  readonly group: string | null;
  /** A descriptor that the command is given beside its streams. */
  readonly kept: number | null;
  readonly argumentFile: string;
  readonly statusFile: string;
};

/** The words of a command line up to those of bubblewrap. */
export function launchWords(
  { filter, kilobytes }: Limits,
  { launcher, group, kept, argumentFile, statusFile }: LaunchFiles,
): readonly [string, ...string[]] {
  const join = group === null ? '' : path.join(group, JOIN);
  return [...BASH, launcher, filter ?? '', join, String(kilobytes), String(kept ?? 0), argumentFile, statusFile];
}

/** Privileged mode: no file and no function that the command's variables name is read out here. */
const BASH = ['/bin/bash', '-p'] as const;
const WORDS = 9;

/**
 * The same for a bash that waits for its command. `script` does everything ahead that needs no command; above all it joins a control group,
 * for which the kernel may make it wait ten milliseconds. `skip` runs when the command's words are its positional parameters, and drops
 * those that are done. A bash that could not prepare itself uses the launcher as usual.
 */
export type PreparationText = { readonly script: string; readonly skip: string };

export function preparationText({ filter, kilobytes }: Limits, group: string | null): PreparationText {
  const steps = [
    'ulimit -c 0',
    `ulimit -f ${kilobytes}`,
    ...(filter === null ? [] : [`exec ${FILTER_DESCRIPTOR}<${bashWord(filter)}`]),
    ...(group === null ? [] : [`echo 0 >${bashWord(path.join(group, JOIN))}`]),
    'attractor_ready=1',
  ];
  return { script: `${closeInherited('')}; { ${steps.join(' && ')}; } 2>/dev/null`, skip: SKIP };
}

const SKIP = `{ [ -z "$attractor_ready" ] || { exec ${ARGUMENTS_DESCRIPTOR}<"$${WORDS - 1}" ${STATUS_DESCRIPTOR}>"$${WORDS}" && shift ${WORDS}; }; }`;
