import { type AnchoredFolder, descriptorForOthers, folderForOthers, type Preparation } from '@attractor/confine';
import { bashWord, type SupervisedChild } from '@attractor/system';
import type { FolderWatch } from './final-folder.ts';

/** One command for a standing shell to start: the program, its folder, and its variables beyond those that all commands share. */
export type ShellOrder = {
  readonly argv: ReadonlyArray<string>;
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: AnchoredFolder;
  readonly watch: FolderWatch | null;
};

/** Idle shells that start commands for us. Null: a standing shell can't run this order. */
export type StandingShells = {
  readonly start: (order: ShellOrder) => SupervisedChild | null;
  readonly close: () => void;
};

/** How many commands one standing shell can start. Each has its own pair of descriptors, numbered from `FIRST` on. */
export const PAIRS = 8;
const FIRST = 3;

export function descriptorsOf(pair: number): readonly [stdout: number, stderr: number] {
  return [FIRST + 2 * pair, FIRST + 2 * pair + 1];
}

const LENGTH_DIGITS = 6;
const MAX_ORDER = 32 << 10;
const ALL = Array.from({ length: PAIRS }, (_, pair) => descriptorsOf(pair)).flat();

/** What a process does while it waits, and which steps it can then skip. */
type Ahead = Pick<Preparation, 'script' | 'skip'>;

const NOTHING: Ahead = { script: ':', skip: ':' };

/**
 * The script of a standing shell. For each pair of descriptors it makes a process that takes the pair, waits for its one order and then
 * becomes the command; everything that can be done ahead (`ahead`, one for each pair) is done by then. With job control each process leads
 * its own process group and keeps its signals. Whatever bash adds to the environment is removed, so that a command sees the same as a
 * direct child of ours. The script reports two lines for each pair: the process id, before its order, and how it ended. When no more orders
 * can come, everything ends.
 */
export function standByScript(ahead: ReadonlyArray<Ahead>): string {
  return [
    'set -m; unset SHLVL OLDPWD; export -n PWD',
    ...Array.from({ length: PAIRS }, (_, pair) => standBy(descriptorsOf(pair), ahead[pair] ?? NOTHING)),
  ].join('\n');
}

/** Variables that bash itself obeys or would change on the way, and names of our own. */
export const NOT_FOR_IT =
  /^BASH|^attractor_|^(?:SHELLOPTS|POSIXLY_CORRECT|TMOUT|IFS|ENV|PS4|SHLVL|PWD|OLDPWD|_)$|[^\w]/;

function standBy([out, err]: ReturnType<typeof descriptorsOf>, { script, skip }: Ahead): string {
  const take = `exec <&${out} >&${out} 2>&${err} ${ALL.map((one) => `${one}>&-`).join(' ')}`;
  const length = `IFS= read -r -N ${LENGTH_DIGITS} attractor_length`;
  const order = 'IFS= read -r -N "$attractor_length" attractor_order';
  const obey = `eval "$attractor_order" && ${skip} && exec "$@"; exit 126`;
  return [
    `{ ${take}; ${script}; ${length} && ${order} || kill -9 $$; ${obey}; } & echo "$!"`,
    `exec ${out}>&- ${err}>&-; wait "$!"; echo "$?"`,
  ].join('; ');
}

/**
 * Written in ASCII, so that its length is the same in every locale. Null if it is too long, or if the folder can't be named through the
 * descriptor that holds it.
 */
export function writeOrder({ argv, variables, folder, watch }: ShellOrder): string | null {
  const place = folderForOthers(folder);
  if (place === null || argv.some(({ length }) => length > MAX_ORDER)) return null;
  const told = watch === null ? '' : ` ${watch.descriptor.inChild}>${descriptorForOthers(watch.descriptor.ours)}`;
  const exported = Object.entries(variables).map(([name, value]) => `${name}=${bashWord(value)}`);
  const order =
    `exec </dev/null${told} && cd -P ${place} && export ${exported.join(' ')}` +
    ` && set -- ${argv.map(bashWord).join(' ')}`;
  return order.length > MAX_ORDER ? null : String(order.length).padStart(LENGTH_DIGITS, '0') + order;
}
