import { runTerminalApp, ttyOfProcess } from '@attractor/terminal';

/** The terminal app with a mistake in it, which shows once the first frame is painted. */
const { env } = process;
const load = (): Promise<never> => {
  setTimeout(() => {
    throw new Error('a mistake that nobody thought of');
  }, 50);
  return new Promise(() => undefined);
};
process.exitCode = await runTerminalApp({
  tty: ttyOfProcess(),
  env,
  home: `${env['HOME'] ?? ''}/.attractor`,
  folder: process.cwd(),
  start: {},
  isStill: true,
  load,
  editText: async (text) => text,
});
