import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Every process that a command starts inherits this variable, and with it the command's mark. It finds processes that left the process
 * group, and those whose owner was killed. Marks of a nested command follow that of the outer one.
 */
export const COMMAND_MARK = 'ATTRACTOR_COMMAND';

export type Survivor = { readonly pid: number; readonly command: string };

/** A process may start another between being found and being ended: look again until nothing is left. */
const ROUNDS = 10;
const SCAN_AFTER_MS = 500;
/** One read takes about 25 µs; through the thread pool it would take six times as much CPU. So few at a time that nobody else waits for long. */
const READ_AT_ONCE = 64;

/** Commands of this process that ended and whose leftovers were not searched yet. */
const ended = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/** The value of the variable for one command; `inherited` is its value in our own environment. */
export function markOf(command: string, inherited: string | undefined): string {
  return `${inherited ?? ''}${command}@${ownMark()},`;
}

/** Ends every process of the command and returns which there were. */
export function endSurvivors(command: string): Promise<ReadonlyArray<Survivor>> {
  return endWhere((found) => found.command === command);
}

/** The same for all commands whose names begin with the prefix. */
export function endSurvivorsOfAll(prefix: string): Promise<ReadonlyArray<Survivor>> {
  return endWhere((found) => found.command.startsWith(prefix));
}

/**
 * The same a moment later, without delaying the command's result: one search for all commands that ended meanwhile, and for those of
 * processes that were killed before they could end their own.
 */
export function endSurvivorsSoon(command: string): void {
  ended.add(command);
  timer ??= setTimeout(() => void endThoseThatEnded(), SCAN_AFTER_MS).unref();
}

async function endThoseThatEnded(): Promise<void> {
  timer = undefined;
  const commands = new Set(ended);
  ended.clear();
  await endWhere((found) => commands.has(found.command) || isOrphaned(found.owner));
}

type Mark = { readonly command: string; readonly owner: string };

async function endWhere(isMeant: (mark: Mark) => boolean): Promise<ReadonlyArray<Survivor>> {
  const all = new Map<number, Survivor>();
  for (let round = 0; round < ROUNDS; round++) {
    const found = await survivorsWhere(isMeant);
    if (found.length === 0) break;
    for (const survivor of found) {
      all.set(survivor.pid, all.get(survivor.pid) ?? survivor);
      kill(survivor.pid);
    }
  }
  return [...all.values()];
}

async function survivorsWhere(isMeant: (mark: Mark) => boolean): Promise<ReadonlyArray<Survivor>> {
  const found: Survivor[] = [];
  for (const [index, pid] of otherProcesses().entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await nextTurn();
    if (marksOf(pid).some(isMeant)) found.push({ pid, command: commandLineOf(pid) });
  }
  return found;
}

function otherProcesses(): ReadonlyArray<number> {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  } catch {
    return [];
  }
}

function marksOf(pid: number): ReadonlyArray<Mark> {
  const environ = environOf(pid);
  const at = environ.indexOf(`\0${COMMAND_MARK}=`);
  if (at === -1) return [];
  const value = environ.toString('utf8', at + COMMAND_MARK.length + 2).split('\0', 1)[0] ?? '';
  return value.split(',').flatMap((mark) => {
    const [command, owner] = mark.split('@');
    return command === undefined || owner === undefined ? [] : [{ command, owner }];
  });
}

const ROOM = Buffer.alloc(65_536);

/** All variables of a process, each after a zero byte. Most fit into the room that is used again and again. */
function environOf(pid: number): Buffer {
  const path = `/proc/${pid}/environ`;
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return NO_BYTES;
  }
  try {
    const length = readSync(file, ROOM, 1, ROOM.length - 1, null);
    return length < ROOM.length - 1 ? ROOM.subarray(0, length + 1) : Buffer.from(`\0${textOf(path)}`);
  } catch {
    return NO_BYTES;
  } finally {
    closeSync(file);
  }
}

const NO_BYTES = Buffer.alloc(0);

function commandLineOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 80);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

let identity: string | undefined;

/** Namespace, id and start time: unique among all processes visible from here. */
export function ownMark(): string {
  identity ??= `${pidNamespace()}-${process.pid}-${startTimeOf(process.pid) ?? ''}`;
  return identity;
}

/** Only an owner that would be visible here if it were alive is known to be gone; one that can't be looked at now may live. */
export function isOrphaned(owner: string): boolean {
  const [space, pid = '', start = ''] = owner.split('-');
  if (space === '' || start === '' || space !== pidNamespace()) return false;
  const now = startTimeOf(Number(pid));
  return now !== null && now !== start;
}

let namespace: string | undefined;

/** A process stays in the namespace that it was started in. */
function pidNamespace(): string {
  namespace ??= readNamespace();
  return namespace;
}

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return '';
  }
}

/**
 * The 22nd field of `stat`; the second, the name, may itself contain spaces and brackets. Undefined: there is no such process. Null: that
 * can't be told, as when no further file can be opened.
 */
function startTimeOf(pid: number): string | undefined | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    return error instanceof Error && 'code' in error && /^(?:ENOENT|ESRCH)$/.test(String(error.code))
      ? undefined
      : null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
