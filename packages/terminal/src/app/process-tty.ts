import { createOutput } from '../screen/output.ts';
import type { Tty } from './keyboard.ts';

/** What a shell reports of a program that a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

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
    },
  };
}
