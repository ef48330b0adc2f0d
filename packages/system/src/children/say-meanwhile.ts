import type { OutputReport } from './progress.ts';

const EVERY_MS = 200;
const MAX_PENDING = 16_384;

export type MoreOutput = { readonly stdout: string; readonly stderr: string; readonly output: string };

/** What a program says is told while it runs, five times a second at most; what it says right before its end is told with that alone. */
export function sayMeanwhile(tell: (said: MoreOutput) => void): {
  readonly hear: OutputReport;
  readonly end: () => void;
} {
  let pending: MoreOutput = { stdout: '', stderr: '', output: '' };
  let timer: NodeJS.Timeout | undefined;
  const pass = (): void => {
    const said = pending;
    pending = { stdout: '', stderr: '', output: '' };
    timer = undefined;
    tell(said);
  };
  return {
    hear: (text, { stdout, stderr }) => {
      const more = (name: keyof MoreOutput, said: string): string => (pending[name] + said).slice(-MAX_PENDING);
      pending = { stdout: more('stdout', stdout), stderr: more('stderr', stderr), output: more('output', text) };
      timer ??= setTimeout(pass, EVERY_MS);
    },
    end: () => clearTimeout(timer),
  };
}
