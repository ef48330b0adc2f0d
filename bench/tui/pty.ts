import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A program on a terminal of its own, made by script(1): what it writes is kept, and the program itself can be watched. Linux only. */
export type Pty = {
  readonly startedAt: number;
  readonly type: (keys: string) => void;
  readonly written: () => string;
  /** When the terminal had this text, counted from a place in what was written. */
  readonly saw: (text: string, from?: number) => Promise<number>;
  /** Of the program itself. */
  readonly pid: () => number;
  readonly memoryMb: () => number;
  readonly cpuMs: () => number;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly end: () => Promise<void>;
};

export type PtyOptions = {
  readonly argv: ReadonlyArray<string>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How much the terminal takes in a second. Absent: everything at once. */
  readonly bytesPerSecond?: number;
};

const DEADLINE_MS = 120_000;
const SLICE_MS = 20;

export function openPty({ argv, cwd, env, bytesPerSecond }: PtyOptions): Pty {
  const line = `stty cols 120 rows 40; exec ${argv.map((word) => `'${word}'`).join(' ')}`;
  const startedAt = performance.now();
  const child = spawn('/usr/bin/script', ['-qfc', line, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const over = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let parts: string[] = [];
  let look = (_news: string): void => undefined;
  const take = (text: string): void => {
    parts.push(text);
    look(text);
  };
  const written = (): string => {
    if (parts.length > 1) parts = [parts.join('')];
    return parts[0] ?? '';
  };
  child.stdout.setEncoding('utf8');
  const reading = bytesPerSecond === undefined ? null : takeSlowly(child.stdout, bytesPerSecond, take);
  if (reading === null) child.stdout.on('data', take);
  let known = 0;
  // script starts a shell, which becomes the program.
  const pid = (): number =>
    (known ||= Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0]));
  return {
    startedAt,
    pid,
    type: (keys) => void child.stdin.write(keys),
    written,
    saw: (text, from = 0) =>
      new Promise((resolve, reject) => {
        const refuse = (): void =>
          reject(new Error(`never wrote ${JSON.stringify(text)}, but ${JSON.stringify(written().slice(-2_000))}`));
        const timer = setTimeout(refuse, DEADLINE_MS);
        // Only what is new is looked at: going through all that was written would be counted as time of the program.
        let recent = '';
        look = (news) => {
          recent += news;
          if (!recent.includes(text)) {
            recent = recent.slice(-text.length);
            return;
          }
          clearTimeout(timer);
          look = () => undefined;
          resolve(performance.now());
        };
        look(written().slice(from));
      }),
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]) / 1024,
    cpuMs: () => {
      // User and system time, in ticks of ten milliseconds: fields 14 and 15.
      const stat = readFileSync(`/proc/${pid()}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    signal: (signal) => void process.kill(pid(), signal),
    end: async () => {
      if (reading !== null) clearInterval(reading);
      child.stdout.resume();
      child.kill('SIGKILL');
      await over;
    },
  };
}

/** A terminal on a slow line: what it has not taken waits in the pipe, and then in the program. */
function takeSlowly(from: NodeJS.ReadableStream, bytesPerSecond: number, take: (text: string) => void): NodeJS.Timeout {
  const size = Math.round((bytesPerSecond * SLICE_MS) / 1_000);
  return setInterval(() => {
    const text = from.read(size) ?? from.read();
    if (typeof text === 'string') take(text);
  }, SLICE_MS);
}
