import { createOutput } from '../screen/output.ts';
import { safeText } from '../screen/safe-text.ts';
import type { Tty } from './keyboard.ts';

/** What a shell reports of a program that a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const OUR_MISTAKE = 'This is a bug in attractor. The conversation is kept: `attractor -c` continues it.';

/** The terminal of this process. Its size is asked of the terminal itself: a signal may still be on its way. */
export function ttyOfProcess(): Tty {
  return {
    output: createOutput(1),
    size: () => {
      const [columns, rows] = process.stdout.getWindowSize();
      return { columns: columns || 80, rows: rows || 24 };
    },
    setRaw: (isRaw) => {
      process.stdin.setRawMode(isRaw);
      if (isRaw) process.stdin.resume();
      else process.stdin.pause();
    },
    onBytes: (hear) => {
      process.stdin.on('data', hear);
      return () => process.stdin.off('data', hear);
    },
    onResize: (resized) => {
      process.stdout.on('resize', resized);
      return () => process.stdout.off('resize', resized);
    },
    onEnd: (ended, leave) => {
      for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => ended(code));
      process.on('exit', leave);
      process.on('uncaughtException', (error) => {
        leave();
        const lines = (error.stack ?? error.message).split('\n').map(safeText);
        createOutput(2).sendNow(`\n${lines.join('\n')}\n${OUR_MISTAKE}\n`);
        process.exit(1);
      });
    },
    guard,
    suspend: () => void process.kill(process.pid, 'SIGTSTP'),
  };
}

/**
 * A program that writes the end of its input once it has all of it. Its input is a pipe that only this process holds, so that comes with a
 * kill too, which nothing here could catch. In a session of its own: what ends this process or its group does not end it.
 */
const GUARD = ['/usr/bin/tail', '-n', '1'] as const;

/** It is started after the first frame and the first keys: starting a process holds them up. */
const GUARD_MS = 20;

function guard(bytes: string, ready: () => void): () => void {
  let stop = (): void => undefined;
  let isOver = false;
  const begin = async (): Promise<void> => {
    const { spawn } = await import('node:child_process');
    if (isOver) return;
    const [program, ...args] = GUARD;
    const child = spawn(program, args, { stdio: ['pipe', 1, 'ignore'], detached: true, env: {} });
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined).write(bytes);
    child.unref();
    stop = () => void child.kill('SIGKILL');
    ready();
  };
  const timer = setTimeout(() => void begin(), GUARD_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}
