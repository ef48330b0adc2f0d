import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { SupervisedChild } from './child.ts';
import { starterProgram } from './starter-program.ts';

export type ProgramStart = {
  readonly file: string;
  readonly args: ReadonlyArray<string>;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
};

/** A program with pipes, as the leader of its own process group. */
export function startProgram(start: ProgramStart): SupervisedChild {
  if (starter?.isReady === true) return starter.start(start);
  const { file, args, cwd, env } = start;
  return spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
}

let starter: Starter | null = null;

/** It takes a moment until that process is there; until then programs are started here. */
export function isStartingElsewhere(): boolean {
  return starter?.isReady === true;
}

/**
 * From now on programs are started by a small process beside this one. To start a program the system copies its parent's table of pages:
 * for a server of 200 MB that is ten times the work, and nothing else happens in it meanwhile. It ends with this process.
 */
export function startProgramsElsewhere(): void {
  starter ??= openStarter(() => {
    starter = null;
  });
}

type Starter = { readonly isReady: boolean; readonly start: (order: ProgramStart) => SupervisedChild };

type Told = {
  readonly id?: number;
  readonly isReady?: true;
  readonly pid?: number;
  readonly out?: Uint8Array;
  readonly err?: Uint8Array;
  readonly exit?: readonly [number | null, NodeJS.Signals | null];
  readonly closed?: true;
  readonly error?: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'errno' | 'syscall' | 'path'>;
};

const SMALL = ['--max-semi-space-size=1', '--max-old-space-size=64'];

function openStarter(onEnd: () => void): Starter {
  const children = new Map<number, RemoteChild>();
  let isReady = false;
  let isEnded = false;
  let last = 0;
  const helper = spawn(process.execPath, [...SMALL, '--eval', `(${starterProgram.toString()})()`], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
  const rest = (): void => {
    if (children.size === 0) helper.channel?.unref();
    else helper.channel?.ref();
  };
  const end = (): void => {
    if (isEnded) return;
    [isReady, isEnded] = [false, true];
    onEnd();
    for (const child of children.values()) child.emit('error', new Error('the process that starts programs has ended'));
    children.clear();
  };
  const forget = (id: number): void => {
    children.delete(id);
    rest();
  };
  helper.on('message', (told: Told) => {
    if (told.isReady === true) isReady = true;
    else hear(children.get(told.id ?? 0), told, () => forget(told.id ?? 0));
  });
  helper.on('error', end).on('exit', end).on('disconnect', end);
  helper.unref();
  rest();
  return {
    get isReady() {
      return isReady;
    },
    start: (order) => {
      const id = (last += 1);
      const child = new RemoteChild((stdin) => send(helper, { id, stdin }));
      children.set(id, child);
      rest();
      send(helper, { id, ...order });
      return child;
    },
  };
}

/** A channel that closes meanwhile is told by the end of the process. */
function send(starting: ChildProcess, message: object): void {
  if (starting.connected) starting.send(message, () => undefined);
}

class RemoteChild extends EventEmitter implements SupervisedChild {
  pid: number | undefined = undefined;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();

  constructor(end: (stdin: string) => void) {
    super();
    const written: Buffer[] = [];
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, next) => {
        written.push(chunk);
        next();
      },
      final: (next) => {
        end(Buffer.concat(written).toString());
        next();
      },
    });
  }
}

function hear(child: RemoteChild | undefined, told: Told, forget: () => void): void {
  if (child === undefined) return;
  if (told.pid !== undefined) {
    child.pid = told.pid;
    child.emit('spawn');
  }
  if (told.out !== undefined) child.stdout.write(told.out);
  if (told.err !== undefined) child.stderr.write(told.err);
  if (told.exit !== undefined) {
    [child.exitCode, child.signalCode] = told.exit;
    child.emit('exit', ...told.exit);
  }
  if (told.error !== undefined) {
    forget();
    child.emit('error', Object.assign(new Error(told.error.message), told.error));
  }
  if (told.closed !== undefined) {
    forget();
    void closeAfterStreams(child);
  }
}

/** What was printed is read before the end is told. */
async function closeAfterStreams(child: RemoteChild): Promise<void> {
  const streams = [child.stdout, child.stderr];
  await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve).end())));
  child.emit('close', child.exitCode, child.signalCode);
}
