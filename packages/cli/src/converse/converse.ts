import { runTerminalApp, type Start, type Tty } from '@attractor/terminal';
import { EXIT } from '../exit.ts';
import type { ModelFlags } from '../model-flags.ts';

export type ConverseFlags = {
  readonly permissionMode?: string;
  readonly allowUnsandboxed?: boolean;
  readonly animation?: boolean;
  readonly screenReader?: boolean;
};

/** The conversation in this folder, from the first frame to the exit code. What takes time is loaded after that frame. */
export function converse(start: Start, flags: ModelFlags & ConverseFlags): Promise<number> {
  const { env } = process;
  const home = env['ATTRACTOR_HOME'] ?? `${env['HOME'] ?? ''}/.attractor`;
  const folder = process.cwd();
  return runTerminalApp({
    tty: ttyOfProcess(),
    env,
    home,
    folder,
    start,
    isStill: flags.animation === false,
    load: async () => (await import('./open-port.ts')).openPort({ env, home, folder, flags }),
    editText: async (text, name) => {
      const { editText } = await import('../terminal/editor.ts');
      const edited = await editText(text, { name, env });
      return edited.ok ? edited.value : null;
    },
  });
}

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp } as const;

function ttyOfProcess(): Tty {
  const { stdin, stdout } = process;
  return {
    descriptor: 1,
    size: () => {
      const [columns, rows] = stdout.getWindowSize();
      return { columns: columns || 80, rows: rows || 24 };
    },
    setRaw: (isRaw) => {
      stdin.setRawMode(isRaw);
      if (isRaw) stdin.resume();
      else stdin.pause();
    },
    onBytes: (hear) => {
      stdin.on('data', hear);
      return () => stdin.off('data', hear);
    },
    onResize: (resized) => {
      stdout.on('resize', resized);
      return () => stdout.off('resize', resized);
    },
    onEnd: (ended, leave) => {
      for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => ended(code));
      process.on('exit', leave);
    },
  };
}
