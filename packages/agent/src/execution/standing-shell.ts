import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { signalGroup, type SupervisedChild, type Variables } from '@attractor/system';
import type { Preparation } from '@attractor/confine';

import {
  descriptorsOf,
  NOT_FOR_IT,
  PAIRS,
  standByScript,
  writeOrder,
  type ShellOrder,
  type StandingShells,
} from './shell-order.ts';
import { closeAfter, startOwnShell } from './shell.ts';

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

/** Of one process: beyond it commands are started the plain way. */
const MOST = 16;
let standing = 0;

/**
 * Commands of one environment, whose variables are always `env`. The next standing shell is made while a command runs that was just
 * started, so nobody waits for it; the first command of all is started the plain way, and so is every one that comes while another runs.
 * `prepare` tells what a process can do for its command before it knows which it is.
 */
export function createStandingShells(env: Variables, prepare?: () => Preparation): StandingShells {
  const isPossible = process.platform === 'linux' && !Object.keys(env).some((name) => NOT_FOR_IT.test(name));
  let shell: StandingShell | null = null;
  let isAwaited = false;
  let isClosed = false;
  const renew = (): void => {
    isAwaited = false;
    if (isClosed || (shell === null && standing >= MOST)) return;
    shell?.close();
    shell = openShell(env, prepare);
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
  isClosed: boolean;
  readonly stdin: null;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

function openShell(env: Variables, prepare?: () => Preparation): StandingShell | null {
  const ahead = prepare === undefined ? [] : Array.from({ length: PAIRS }, prepare);
  const release = (): void => ahead.forEach((preparation) => preparation.release());
  const bash = begin(env, standByScript(ahead));
  if (bash === null) {
    release();
    return null;
  }
  standing += 1;
  /** Pairs that were given an order, or that lost their process before. */
  let used = 0;
  let isGone = false;
  let job: Job | null = null;
  let ready: number | undefined;
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    standing -= 1;
    release();
    if (job !== null) lose(job);
    job = null;
  };
  bash.once('error', gone);
  bash.once('exit', gone);
  const isReady = (pid: number): void => {
    if (job === null) ready = pid;
    else tellProcess(job, pid);
  };
  const isOver = (exitCode: number): void => {
    keepAwake(bash.stdout, false);
    if (job === null) used += 1;
    else tellEnd(job, exitCode, null);
    job = null;
  };
  onAnswers(bash.stdout, isReady, isOver);
  return {
    start: (order) => {
      if (isGone || job !== null || used === PAIRS) return null;
      const text = writeOrder(order);
      const [stdout, stderr] = descriptorsOf(used).map((descriptor) => bash.stdio[descriptor]);
      if (text === null || !(stdout instanceof Socket) || !(stderr instanceof Socket)) return null;
      used += 1;
      for (const stream of [bash.stdout, stdout, stderr]) keepAwake(stream, true);
      stdout.write(text);
      job = createJob(stdout, stderr, ready);
      ready = undefined;
      return closeAfter(job, order.folder);
    },
    isUsedUp: () => isGone || used === PAIRS,
    close: () => {
      // One that is used up ends by itself, after its last command.
      if (used < PAIRS) bash.kill('SIGKILL');
      for (const descriptor of unusedFrom(used)) bash.stdio[descriptor]?.destroy();
    },
  };
}

function begin(env: Variables, script: string): ChildProcess | null {
  const pipes = Array.from({ length: 2 * PAIRS }, () => 'pipe' as const);
  try {
    const bash = startOwnShell(script, { env, stdio: ['ignore', 'pipe', 'ignore', ...pipes] });
    bash.unref();
    for (const stream of bash.stdio) {
      stream?.on('error', () => undefined);
      keepAwake(stream, false);
    }
    return bash;
  } catch {
    return null;
  }
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

function createJob(stdout: Readable, stderr: Readable, pid: number | undefined): Job {
  const ends = { exitCode: null, signalCode: null, isClosed: false, stdin: null };
  const job: Job = Object.assign(new EventEmitter(), { pid, stdout, stderr, ...ends });
  for (const stream of [stdout, stderr]) stream.once('close', () => tellClosed(job));
  return job;
}

function tellProcess(job: Job, pid: number): void {
  job.pid = pid;
  job.emit('spawn');
}

function tellEnd(job: Job, exitCode: number | null, signal: NodeJS.Signals | null): void {
  job.exitCode = exitCode;
  job.signalCode = signal;
  job.emit('exit', exitCode, signal);
  tellClosed(job);
}

/** Always after its end, and only when nobody holds its output any more. */
function tellClosed(job: Job): void {
  const isOver = job.exitCode !== null || job.signalCode !== null;
  if (!isOver || job.isClosed || !job.stdout.closed || !job.stderr.closed) return;
  job.isClosed = true;
  job.emit('close', job.exitCode, job.signalCode);
}

/** The standing shell was killed, perhaps by the command itself: nobody can tell any more how it ends, so it ends now. */
function lose(job: Job): void {
  if (job.pid === undefined) {
    job.emit('error', new Error('the shell that starts commands was ended; try again'));
    return;
  }
  signalGroup(job.pid, 'SIGKILL');
  tellEnd(job, null, 'SIGKILL');
}

/** Its lines, which are by turns the id of a process and how it ended. */
function onAnswers(stream: Readable | null, isReady: (pid: number) => void, isOver: (exitCode: number) => void): void {
  let rest = '';
  let isNew = true;
  stream?.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const tell = isNew ? isReady : isOver;
      isNew = !isNew;
      tell(Number(line));
    }
  });
}
