import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { defined } from '@attractor/base';
import { createCapture, type Encoding } from './capture.ts';
import type { KeptOutputFile, KeptOutputs } from './kept-outputs.ts';
import { createProgress, type OutputReport, type OutputStream, type Progress } from './progress.ts';

/** How a child process ended. At most one of `timedOut`, `aborted` and `spawnError` is set; output so far is always kept. */
export type ChildOutcome = {
  readonly exitCode: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly omittedBytes: number;
  /** Where the rest is, if it does not fit in memory. */
  readonly kept: ReadonlyArray<KeptOutputFile>;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** The pipe was still open when the child had gone: something it started is still running. */
  readonly pipeHeld: boolean;
  readonly spawnError?: NodeJS.ErrnoException;
};

/** What supervision needs of a child, whoever started it: the leader of its own process group. */
export type SupervisedChild = EventEmitter &
  Readonly<Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'stdin' | 'stdout' | 'stderr'>>;

export type SuperviseOptions = {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxOutputBytes?: number | undefined;
  readonly onOutput?: OutputReport | undefined;
  readonly leaving?: Leaving | undefined;
  /** Takes output that is too long for memory; absent: its middle is lost. */
  readonly outputs?: KeptOutputs | undefined;
  readonly stdin?: string | undefined;
  /** How stdout is read. Default `utf8`. */
  readonly encoding?: Encoding | undefined;
  /** In `performance.now()`: on a busy machine a child has run for a while before its starter goes on. Absent: now. */
  readonly startedAt?: number | undefined;
};

/** When `signal` fires, whoever waits for the child goes on without it: no limit of time counts any more, and `take` gets what it says. */
export type Leaving = {
  readonly signal: AbortSignal;
  readonly take: (left: LeftChild) => (chunk: Uint8Array) => void;
};

/** `said`: all that it said so far. */
export type LeftChild = {
  readonly pid: number;
  readonly said: string;
  readonly ended: Promise<Pick<ChildOutcome, 'exitCode' | 'signal'>>;
};

/** The delay between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 2_000;
/** How long we wait after SIGKILL: a process may hang in the kernel, for example on a dead network disk. */
const GIVE_UP_MS = 2_000;
/** How long we wait, after the direct child exits, for a pipe that another process holds open. */
const DRAIN_MS = 500;
/** As many pieces as the buffer of a pipe may hold, and its end. */
const READ_TURNS = 20;
const MAX_OUTPUT_BYTES = 1 << 20;
/** Smaller chunks may share a pool, and are cheap. */
const RELEASED_BYTES = 16 << 10;

/**
 * Follows a detached child (the leader of its own process group) to its end. Never rejects. On timeout or abort the whole group gets TERM,
 * then KILL; after the child's exit the pipes get half a second more.
 */
export function superviseChild(child: SupervisedChild, options: SuperviseOptions): Promise<ChildOutcome> {
  const left = createLeft(child, options);
  const outcome = supervise(child, options, left);
  void outcome.then(left?.end);
  return outcome;
}

function supervise(child: SupervisedChild, options: SuperviseOptions, left: Left | null): Promise<ChildOutcome> {
  const started = options.startedAt ?? performance.now();
  const limit = options.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const spools = [options.outputs?.begin('stdout'), options.outputs?.begin('stderr')] as const;
  const stdout = createCapture(limit, spools[0]?.push, options.encoding);
  const stderr = createCapture(limit, spools[1]?.push);
  const progress = options.onOutput === undefined ? null : createProgress(options.onOutput);
  const flags = { timedOut: false, aborted: false, pipeHeld: false };
  let isFinished = false;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, run: () => void): void => void timers.add(setTimeout(run, ms));

  const stop = (reason: 'timedOut' | 'aborted'): void => {
    if (flags.timedOut || flags.aborted || child.exitCode !== null || child.signalCode !== null) return;
    flags[reason] = true;
    askToEnd(child);
    after(KILL_AFTER_MS, () => signalGroup(child.pid, 'SIGKILL'));
    after(KILL_AFTER_MS + GIVE_UP_MS, () => child.emit('exit', null, 'SIGKILL'));
  };
  const onAbort = (): void => stop('aborted');

  return new Promise<ChildOutcome>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null, spawnError?: Error): void => {
      // Streams that are destroyed here may still report their end.
      if (isFinished) return;
      isFinished = true;
      for (const timer of timers) clearTimeout(timer);
      progress?.end();
      options.signal?.removeEventListener('abort', onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({
        exitCode: exitCodeOf(code, signal),
        signal,
        stdout: stdout.text(),
        stderr: stderr.text(),
        omittedBytes: stdout.omittedBytes() + stderr.omittedBytes(),
        kept: spools.flatMap((spool) => spool?.end() ?? []),
        durationMs: Math.round(performance.now() - started),
        ...flags,
        ...defined({ spawnError }),
      });
    };
    follow(child, 'stdout', { push: stdout.push, progress, left });
    follow(child, 'stderr', { push: stderr.push, progress, left });
    child.on('error', (error) => finish(null, null, error));
    child.on('close', finish);
    const giveUp = (code: number | null, signal: NodeJS.Signals | null): void => {
      flags.pipeHeld = true;
      finish(code, signal);
    };
    child.on('exit', (code, signal) => after(DRAIN_MS, () => afterTurns(READ_TURNS, () => giveUp(code, signal))));
    if (options.timeoutMs !== undefined) after(options.timeoutMs, () => left?.isTaken() !== true && stop('timedOut'));
    left?.begin(() => `${stdout.text()}${stderr.text()}`);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted === true) onAbort();
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.stdin ?? '');
  });
}

type Left = {
  readonly begin: (said: () => string) => void;
  readonly hear: (chunk: Uint8Array) => void;
  readonly isTaken: () => boolean;
  readonly end: (outcome: ChildOutcome) => void;
};

/** Null: nobody leaves this child. */
function createLeft(child: SupervisedChild, { leaving }: SuperviseOptions): Left | null {
  if (leaving === undefined) return null;
  const { promise: ended, resolve } = Promise.withResolvers<Pick<ChildOutcome, 'exitCode' | 'signal'>>();
  let taken: ((chunk: Uint8Array) => void) | null = null;
  let saidSoFar = (): string => '';
  const onLeft = (): void => {
    taken = leaving.take({ pid: child.pid ?? 0, said: saidSoFar(), ended });
  };
  return {
    begin: (said) => {
      saidSoFar = said;
      leaving.signal.addEventListener('abort', onLeft, { once: true });
    },
    hear: (chunk) => taken?.(chunk),
    isTaken: () => taken !== null,
    end: ({ exitCode, signal }) => {
      leaving.signal.removeEventListener('abort', onLeft);
      resolve({ exitCode, signal });
    },
  };
}

/** A process that was busy for long sees its timers before what has come in meanwhile: each turn reads one piece of that. */
function afterTurns(count: number, run: () => void): void {
  if (count === 0) run();
  else setImmediate(afterTurns, count - 1, run);
}

const ways = new WeakMap<SupervisedChild, () => void>();

/** For a child that only wraps its command: how to ask the command itself to end. */
export function askToEndBy(child: SupervisedChild, way: () => void): void {
  ways.set(child, way);
}

/** Sends SIGTERM to the whole process group of the command, as soon as the group is known. */
export function askToEnd(child: SupervisedChild): void {
  if (child.pid === undefined) {
    child.once('spawn', () => askToEnd(child));
    return;
  }
  const way = ways.get(child);
  if (way === undefined) signalGroup(child.pid, 'SIGTERM');
  else way();
}

/** Signals every process of the group; a group that is gone is no error. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}

type Followers = {
  readonly push: (chunk: Buffer) => void;
  readonly progress: Progress | null;
  readonly left: Left | null;
};

function follow(child: SupervisedChild, stream: OutputStream, { push, progress, left }: Followers): void {
  child[stream]?.on('data', (chunk: Buffer<ArrayBuffer>) => {
    push(chunk);
    progress?.push(chunk, stream);
    left?.hear(chunk);
    release(chunk);
  });
  child[stream]?.on('error', () => undefined);
}

/**
 * Frees the memory of a chunk at once. Left to the garbage collector, a flood of output piles up tens of megabytes. Only for a chunk that
 * is a separate buffer; nobody else may hold it.
 */
function release(chunk: Buffer<ArrayBuffer>): void {
  if (chunk.byteLength >= RELEASED_BYTES && chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
}

/** As shells report it: 128 + n for signal n; 127 if nothing could be started. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return signal === null ? 127 : 128 + constants.signals[signal];
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** The reverse: the signal behind an exit code, of the shell itself or of what it ran last. */
export function signalOf(exitCode: number): string | undefined {
  return SIGNALS.get(exitCode - 128);
}
