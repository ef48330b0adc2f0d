import type { ShellPort } from './shell-port.ts';

/** Until commands can be read none is understood: each asks, unless all of them are allowed. */
export const SHELL: ShellPort = {
  read: (command) => ({ parts: [], problem: { reason: 'it is a shell command', part: command } }),
  matches: () => false,
};
