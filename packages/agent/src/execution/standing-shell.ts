import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { askToEndBy, signalGroup, type SupervisedChild } from './child.ts';
import type { Variables } from './environment-variables.ts';
import { descriptorsOf, OBEY, PAIRS, writeOrder, type ShellOrder } from './shell-order.ts';
import { startOwnShell } from './shell.ts';

/**
 * A bash that waits beside us and starts commands in our stead. To start a program is to copy the page tables of whoever starts it: 3 ms in
 * a process of 90 MB, during which all its sessions wait; next to nothing in a shell of 4 MB.
 * It runs one command at a time. Each has a pair of descriptors that nobody else holds, so that the end of its output means, as ever, that
 * its last process let go of it. When all pairs are used, the standing shell ends and another takes its place.
 */
type StandingShell = {
  /** Null when it can't: it is at work, used up or gone, or the order is not one for it. */
  readonly start: (order: ShellOrder) => SupervisedChild | null;
  readonly isUsedUp: () => boolean;
  readonly close: () => void;
};

export type StandingShells = {
  readonly start: (order: ShellOrder) => SupervisedChild | null;
  readonly close: () => void;
};

/** What bash itself obeys, or would change on the way through. */
const NOT_FOR_IT = /^BASH|^(?:SHELLOPTS|POSIXLY_CORRECT|TMOUT|IFS|ENV|PS4|SHLVL|PWD|OLDPWD|_)$|[^\w]/;
/** Of one process: beyond it commands are started the plain way. */
const MOST = 16;
let standing = 0;

/**
 * Commands of one environment, whose variables are always `env`. The next standing shell is made while a command runs that was just
 * started, so nobody waits for it; the first command of all is started the plain way, and so is every one that comes while another runs.
 */
export function createStandingShells(env: Variables): StandingShells {
  const isPossible = process.platform === 'linux' && !Object.keys(env).some((name) => NOT_FOR_IT.test(name));
  let shell: StandingShell | null = null;
  let isAwaited = false;
  let isClosed = false;
  const renew = (): void => {
    isAwaited = false;
    if (isClosed || (shell === null && standing >= MOST)) return;
    shell?.close();
    shell = openShell(env);
  };
  return {
    start: (order) => {
      if (!isPossible || isClosed) return null;
      const child = shell?.start(order) ?? null;
      if (!isAwaited && (shell === null || shell.isUsedUp())) {
        isAwaited = true;
        setImmediate(renew);
      }
      return child;
    },
    close: () => {
      isClosed = true;
      shell?.close();
    },
  };
}

type Job = EventEmitter & {
  pid: number | undefined;
  exitCode: number | null;
  signalCode: NodeJS.Signals | null;
  readonly stdin: null;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

function openShell(env: Variables): StandingShell | null {
  const pipes = Array.from({ length: 2 * PAIRS }, () => 'pipe' as const);
  let bash: ChildProcess;
  try {
    bash = startOwnShell(OBEY, { env, stdio: ['pipe', 'pipe', 'ignore', ...pipes] });
  } catch {
    return null;
  }
  standing += 1;
  let used = 0;
  let isGone = false;
  let job: Job | null = null;
  const sockets = bash.stdio.filter((one): one is Socket => one instanceof Socket);
  for (const socket of sockets) socket.on('error', () => undefined).unref();
  bash.unref();
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    standing -= 1;
    if (job !== null) lose(job);
    job = null;
  };
  bash.once('error', gone);
  bash.once('exit', gone);
  onLines(bash.stdout, (line) => {
    if (job === null) return;
    if (job.pid === undefined) return begin(job, line);
    const ended = job;
    job = null;
    keepAwake(bash.stdout, false);
    end(ended, Number(line));
  });
  return {
    start: (order) => {
      if (isGone || job !== null || used === PAIRS) return null;
      const text = writeOrder(order, used);
      const [stdout, stderr] = descriptorsOf(used).map((descriptor) => bash.stdio[descriptor]);
      if (text === null || !(stdout instanceof Socket) || !(stderr instanceof Socket)) return null;
      used += 1;
      for (const stream of [bash.stdout, stdout, stderr]) keepAwake(stream, true);
      bash.stdin?.write(text);
      job = createJob(stdout, stderr);
      job.once('exit', order.folder.close);
      job.once('error', order.folder.close);
      return job;
    },
    isUsedUp: () => isGone || used === PAIRS,
    close: () => {
      bash.stdin?.end();
      for (const descriptor of unusedFrom(used)) bash.stdio[descriptor]?.destroy();
    },
  };
}

function unusedFrom(pair: number): ReadonlyArray<number> {
  return Array.from({ length: PAIRS - pair }, (_, index) => descriptorsOf(pair + index)).flat();
}

/** The process stays as long as a command runs, not as long as a shell stands by. */
function keepAwake(stream: unknown, isNeeded: boolean): void {
  if (!(stream instanceof Socket)) return;
  if (isNeeded) stream.ref();
  else stream.unref();
}

function createJob(stdout: Readable, stderr: Readable): Job {
  const job: Job = Object.assign(new EventEmitter(), {
    pid: undefined,
    exitCode: null,
    signalCode: null,
    stdin: null,
    stdout,
    stderr,
  });
  // Asked before it is known which process it is: told then.
  askToEndBy(job, () => {
    if (job.pid === undefined) job.once('spawn', () => signalGroup(job.pid, 'SIGTERM'));
    else signalGroup(job.pid, 'SIGTERM');
  });
  let open = 3;
  const closed = (): void => {
    open -= 1;
    if (open === 0) job.emit('close', job.exitCode, job.signalCode);
  };
  stdout.once('close', closed);
  stderr.once('close', closed);
  job.once('exit', closed);
  return job;
}

function begin(job: Job, line: string): void {
  job.pid = Number(line);
  job.emit('spawn');
}

function end(job: Job, exitCode: number): void {
  job.exitCode = exitCode;
  job.emit('exit', exitCode, null);
}

/** The standing shell was killed, perhaps by the command itself: nobody can tell any more how it ends, so it ends now. */
function lose(job: Job): void {
  if (job.pid === undefined) {
    job.emit('error', new Error('the shell that starts commands was ended; try again'));
    return;
  }
  signalGroup(job.pid, 'SIGKILL');
  job.signalCode = 'SIGKILL';
  job.emit('exit', null, 'SIGKILL');
}

function onLines(stream: Readable | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
