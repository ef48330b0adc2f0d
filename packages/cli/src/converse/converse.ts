import { runTerminalApp, type Start, ttyOfProcess } from '@attractor/terminal';
import type { PlainAppOptions } from '@attractor/terminal/plain';
import type { ConverseFlags } from './converse-flags.ts';

/** The conversation in this folder, from the first frame to the exit code. What takes time is loaded after that frame. */
export function converse(start: Start, flags: ConverseFlags): Promise<number> {
  const { env } = process;
  const home = env['ATTRACTOR_HOME'] ?? `${env['HOME'] ?? ''}/.attractor`;
  const folder = process.cwd();
  const options = {
    env,
    home,
    folder,
    start,
    load: async () => (await import('./open-port.ts')).openPort({ env, home, folder, flags }),
    editText: async (text: string, name: string) => {
      const { editText } = await import('@attractor/console');
      const edited = await editText(text, { name, env });
      return edited.ok ? edited.value : null;
    },
  };
  if (flags.screenReader === true || env['TERM'] === 'dumb') return inLines(options);
  return runTerminalApp({ ...options, tty: ttyOfProcess(), isStill: flags.animation === false });
}

async function inLines(options: Omit<PlainAppOptions, 'lines' | 'put' | 'onStop'>): Promise<number> {
  const { createInterface } = await import('node:readline/promises');
  const { putText } = await import('@attractor/console');
  const { runPlainApp } = await import('@attractor/terminal/plain');
  const lines = createInterface({ input: process.stdin, terminal: false });
  const put = (text: string): void => void putText(process.stdout, text);
  const exitCode = await runPlainApp({ ...options, lines, put, onStop: (stop) => void process.on('SIGINT', stop) });
  lines.close();
  return exitCode;
}
