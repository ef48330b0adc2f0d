import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Cost } from './rounds.ts';

/**
 * A child process that is unaware of the measurement. The kernel counts: run time of its threads, and the peak of its memory, read every
 * few milliseconds while it lives. Linux only.
 */
export type WatchedProcess = {
  /** What it cost up to now. */
  readonly cost: () => Cost;
  /** The total cost; rejects if it failed. */
  readonly ended: Promise<Cost>;
};

export type Command = {
  readonly program: string;
  readonly args: ReadonlyArray<string>;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How often the counters are read; 2 by default. */
  readonly lookEveryMs?: number;
};

export function watchProcess({ program, args, input = '', env, lookEveryMs = 2 }: Command): WatchedProcess {
  const before = performance.now();
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env });
  const pid = child.pid ?? 0;
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdin.on('error', () => undefined).end(input);
  let last: Cost = { wallMs: 0, cpuMs: 0, peakMb: 0 };
  const cost = (): Cost => {
    last = { wallMs: performance.now() - before, ...(countedByKernel(pid) ?? last) };
    return last;
  };
  const timer = setInterval(cost, lookEveryMs);
  const ended = new Promise<Cost>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(timer);
      const wallMs = performance.now() - before;
      if (code === 0) resolve({ ...last, wallMs });
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${complaints}`));
    });
  });
  return { cost, ended };
}

/** Nothing once the process is gone. */
function countedByKernel(pid: number): Pick<Cost, 'cpuMs' | 'peakMb'> | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    if (peak === null) return undefined;
    return { cpuMs: nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6, peakMb: Number(peak[1]) / 1024 };
  } catch {
    return undefined;
  }
}
