import type { OutputReport } from '@attractor/system';

const EVERY_MS = 200;
const MAX_PENDING = 16_384;

export type Said = { readonly stdout: string; readonly stderr: string; readonly output: string };

/** What a program says is told while it runs, five times a second at most; what it says right before its end is told with that alone. */
export function sayMeanwhile(tell: (said: Said) => void): { readonly hear: OutputReport; readonly end: () => void } {
  let pending: Said = { stdout: '', stderr: '', output: '' };
  let timer: NodeJS.Timeout | undefined;
  const pass = (): void => {
    const said = pending;
    pending = { stdout: '', stderr: '', output: '' };
    timer = undefined;
    tell(said);
  };
  return {
    hear: (text, { stdout, stderr }) => {
      const more = (name: keyof Said, said: string): string => (pending[name] + said).slice(-MAX_PENDING);
      pending = { stdout: more('stdout', stdout), stderr: more('stderr', stderr), output: more('output', text) };
      timer ??= setTimeout(pass, EVERY_MS);
    },
    end: () => clearTimeout(timer),
  };
}
