import type * as Shell from './index.ts';

/** The shell's grammar and tables, loaded when the first command is judged: a start that judges nothing does not pay. */
export function loadShellPolicy(): Promise<ShellPolicy> {
  return import('./index.ts');
}

export type ShellPolicy = typeof Shell;
