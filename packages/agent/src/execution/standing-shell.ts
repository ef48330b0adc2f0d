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
 * A bash process that waits beside us and starts commands for us. Starting a program copies the page tables of its parent: that takes 3 ms
 * in a process of 90 MB, during which all its sessions wait, and almost nothing in a shell of 4 MB. It runs one command at a time. Each
 * command has a pair of descriptors that no other process holds, so the end of its output still means that its last process has let go of
 * it. When all pairs are used, the standing shell ends and another replaces it.
 */
type StandingShell = {
  /** Null if it can't start the order: it is busy, used up or gone, or the order is not suitable for it. */
  readonly start: (order: ShellOrder) => SupervisedChild | null;
  readonly isUsedUp: () => boolean;
  readonly close: () => void;
};

/** The limit for one process; beyond it commands are started directly. */
const MOST = 16;
let standing = 0;

/**
 * Starts the commands of one environment, whose variables are always `env`. The next standing shell is created while the command that was
 * just started runs, so nobody waits for it. The very first command is started directly, and so is any command that arrives while another
 * runs.
 * `prepare` returns what a process can do for its command before it knows which command that is.
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
  /** Pairs that received an order, or lost their process before one came. */
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
  bash.once('exit', () => afterLast(bash.stdout, gone));
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
      if (isGone || hasEnded(bash) || job !== null || used === PAIRS) return null;
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
    isUsedUp: () => isGone || hasEnded(bash) || used === PAIRS,
    close: () => {
      // A shell whose pairs are used up ends by itself after its last command.
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

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A process may be known to have ended before its last lines are read, and how its last command ended is one of them. */
function afterLast(stream: Readable | null, run: () => void): void {
  if (stream === null || stream.closed) run();
  else stream.once('close', run);
}

function unusedFrom(pair: number): ReadonlyArray<number> {
  return Array.from({ length: PAIRS - pair }, (_, index) => descriptorsOf(pair + index)).flat();
}

/** A running command keeps this process alive; an idle shell does not. */
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

/** Always after the command's end, and only when no process holds its output any more. */
function tellClosed(job: Job): void {
  const isOver = job.exitCode !== null || job.signalCode !== null;
  if (!isOver || job.isClosed || !job.stdout.closed || !job.stderr.closed) return;
  job.isClosed = true;
  job.emit('close', job.exitCode, job.signalCode);
}

/** The standing shell was killed, perhaps by the command itself. The command's exit can no longer be learned, so it counts as ended now. */
function lose(job: Job): void {
  if (job.pid === undefined) {
    job.emit('error', new Error('the shell that starts commands was ended; try again'));
    return;
  }
  signalGroup(job.pid, 'SIGKILL');
  tellEnd(job, null, 'SIGKILL');
}

/** Its lines alternate: the id of a process, then how that process ended. */
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
