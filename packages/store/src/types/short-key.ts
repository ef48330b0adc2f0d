/**
 * Names that people can say. A project has a prefix, `ATT`; its tasks are `ATT-1`, `ATT-2` …; the runs of a task are `ATT-2.1` …, its
 * questions `ATT-2.q1` …. No character of them means anything to a shell. A key that was given never comes to mean something else.
 */
export type KeyedKind = 'tsk' | 'run' | 'prm';

const KEY = /^([A-Z][A-Z0-9]{1,9})-([1-9][0-9]{0,8})(?:\.(q?)([1-9][0-9]{0,8}))?$/;
const PREFIX = /^[A-Z][A-Z0-9]{1,9}$/;

export type ReadKey = {
  readonly kind: KeyedKind;
  /** The prefix of the project, and the number of the task in it. */
  readonly prefix: string;
  readonly task: number;
  /** The number of the run or the question; 0 for a task. */
  readonly part: number;
};

/** Null if it is no key. Small letters do as well. */
export function readKey(given: string): ReadKey | null {
  const [whole, prefix = '', task = '', question, part] = KEY.exec(given.toUpperCase().replace('.Q', '.q')) ?? [];
  if (whole === undefined) return null;
  const kind = part === undefined ? 'tsk' : question === 'q' ? 'prm' : 'run';
  return { kind, prefix, task: Number(task), part: Number(part ?? 0) };
}

export function isProjectKey(given: string): boolean {
  return PREFIX.test(given);
}

/** The first of these prefixes that nobody has: initials or the beginning of the name, more of it, then numbered ones. */
export function freeProjectKey(name: string, isTaken: (key: string) => boolean): string {
  const words = name
    .normalize('NFKD')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/^[0-9]+/, ''))
    .filter((word) => word !== '');
  const letters = words.join('');
  const initials = words.map((word) => word[0]).join('');
  const tries = [
    ...(initials.length > 1 ? [initials.slice(0, 4)] : []),
    ...[3, 4, 5, 6].map((n) => letters.slice(0, n)),
  ];
  const base = tries.find(isProjectKey) ?? 'PRJ';
  const free = tries.find((key) => isProjectKey(key) && !isTaken(key));
  if (free !== undefined) return free;
  for (let number = base === 'PRJ' && !isTaken(base) ? 0 : 2; ; number += 1) {
    const key = number === 0 ? base : `${base}${number}`;
    if (!isTaken(key)) return key;
  }
}

/** What people call it. Things in a log from before there were keys have only their id. */
export function keyOf({ id, key }: { readonly id: string; readonly key?: string }): string {
  return key ?? id;
}

/** The key of the task that a run or a question belongs to. */
export function taskKeyOf({ taskId, key }: { readonly taskId: string; readonly key?: string }): string {
  return key === undefined ? taskId : key.slice(0, key.lastIndexOf('.'));
}
