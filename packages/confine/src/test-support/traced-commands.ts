import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** `mounts`: arguments of bubblewrap for what commands see. `logs`: a folder for the traces; it is emptied before each run. */
export type TracedBox = {
  readonly mounts: ReadonlyArray<string>;
  readonly folder: string;
  readonly logs: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
};

/**
 * starts    a program, successfully
 * opens     a file, by the name that was asked for; `real` is where it lies, null where it could not be opened
 * changes   a name, a mode or a length; `isDone` tells whether the kernel did it
 * connects  a socket is made or used
 */
export type TracedCall =
  | { readonly kind: 'starts'; readonly path: string }
  | { readonly kind: 'opens'; readonly path: string; readonly real: string | null; readonly isWriting: boolean }
  | { readonly kind: 'changes'; readonly call: string; readonly isDone: boolean }
  | { readonly kind: 'connects'; readonly call: string };

/** What all processes of a command did. `status`: how it ended, null if it did not in time. */
export type Traced = { readonly calls: ReadonlyArray<TracedCall>; readonly status: number | null };

/** Whether commands can be traced on this machine. */
export function canTrace(): boolean {
  const probe = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    STRACE,
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-o',
    '/dev/null',
    'true',
  ];
  return existsSync(STRACE) && existsSync(BWRAP) && spawnSync(BWRAP, probe).status === 0;
}

/** Really runs commands one after the other, each by a bash of its own, without network, and tells what they asked the kernel for. */
export function traceCommands(commands: ReadonlyArray<string>, box: TracedBox): ReadonlyArray<Traced> {
  rmSync(box.logs, { recursive: true, force: true });
  mkdirSync(box.logs, { recursive: true });
  const own = ['--bind', box.logs, box.logs, '--proc', '/proc', '--dev', '/dev', '--chdir', box.folder];
  const apart = [
    '--unshare-net',
    '--unshare-pid',
    '--unshare-uts',
    '--unshare-ipc',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
  ];
  // One file for each process: in a common one a call may be torn in two by another's.
  const strace = [STRACE, '--seccomp-bpf', '-y', '-qq', '-s', '300', '-e', 'signal=none', '-e', CALLS];
  const traced = [...strace, '-ff', '-o', join(box.logs, 'of'), '/bin/bash', '--norc', '-c', EACH, 'bash'];
  const run = spawnSync(BWRAP, [...box.mounts, ...own, ...apart, ...traced, ...commands], {
    env: { ...box.variables },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: box.timeoutMs,
    killSignal: 'SIGKILL',
  });
  const statuses = (run.stdout ?? '').split('\n').filter(Boolean).map(Number);
  const processes = readProcesses(box.logs);
  const born = new Set([...processes.values()].flatMap(({ children }) => children));
  const first = [...processes.keys()].find((pid) => !born.has(pid)) ?? '';
  const shells = processes.get(first)?.children ?? [];
  return commands.map((_command, at) => ({
    calls: callsBelow(shells[at] ?? '', processes),
    status: statuses[at] ?? null,
  }));
}

const BWRAP = '/usr/bin/bwrap';
const STRACE = '/usr/bin/strace';
const EACH = 'for one; do /bin/bash --norc -c "$one" </dev/null >/dev/null 2>&1; echo $?; done';

/** With a question mark: not every machine has it. */
const CALLS = `trace=${[
  'execve clone ?clone3 ?fork ?vfork openat ?open ?creat ?unlink unlinkat ?rename ?renameat renameat2 ?mkdir mkdirat',
  '?link linkat ?symlink symlinkat ?chmod fchmod fchmodat ?chown fchown fchownat truncate ftruncate ?mknod mknodat',
  'utimensat setxattr fsetxattr socket connect sendto',
]
  .join(' ')
  .replaceAll(' ', ',')}`;

const STARTS = /^execve\("((?:[^"\\]|\\.)*)", .* = 0$/;
const OPENS = /^(?:openat\([^"]*|open\()"((?:[^"\\]|\\.)*)"(?:\.\.\.)?, ([A-Z_|0-9]+)(?:, 0\d+)?\) = (.*)$/;
const WRITING = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE/;
const CHANGES =
  /^((?:creat|unlink|rename|mkdir|link|symlink|chmod|chown|fchmod|fchown|truncate|ftruncate|mknod|utimensat|setxattr|fsetxattr)\w*\(.*) = (\S+)/;
const CONNECTS = /^((?:socket|connect|sendto)\(.*)/;

const FORKS = /^(?:clone3?|v?fork)\(.* = (\d+)$/;

type TracedProcess = { readonly calls: ReadonlyArray<TracedCall>; readonly children: ReadonlyArray<string> };

function readProcesses(logs: string): ReadonlyMap<string, TracedProcess> {
  return new Map(
    readdirSync(logs).map((name) => {
      const lines = readFileSync(join(logs, name), 'utf8').split('\n');
      const children = lines.flatMap((line) => FORKS.exec(line)?.[1] ?? []);
      return [name.slice(name.lastIndexOf('.') + 1), { calls: lines.flatMap(callOf), children }];
    }),
  );
}

function callsBelow(pid: string, processes: ReadonlyMap<string, TracedProcess>): ReadonlyArray<TracedCall> {
  const { calls = [], children = [] } = processes.get(pid) ?? {};
  return [...calls, ...children.flatMap((child) => callsBelow(child, processes))];
}

function callOf(line: string): ReadonlyArray<TracedCall> {
  const started = STARTS.exec(line);
  if (started !== null) return [{ kind: 'starts', path: started[1] ?? '' }];
  const opened = OPENS.exec(line);
  if (opened !== null) return openedBy(opened);
  const changed = CHANGES.exec(line);
  if (changed !== null) return [{ kind: 'changes', call: changed[1] ?? '', isDone: changed[2] === '0' }];
  const connected = CONNECTS.exec(line);
  return connected === null ? [] : [{ kind: 'connects', call: connected[1] ?? '' }];
}

/** Some open a folder for writing to learn that it is one. With `-y` the answer tells where an opened file really is. */
function openedBy([, path = '', flags = '', answer = '']: RegExpExecArray): ReadonlyArray<TracedCall> {
  const real = /^\d+<(.*)>$/.exec(answer)?.[1] ?? null;
  return [{ kind: 'opens', path, real, isWriting: WRITING.test(flags) && !answer.includes('EISDIR') }];
}
