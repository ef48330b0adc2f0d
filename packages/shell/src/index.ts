export { allowsPart, matchShellPattern, restrictsPart, suggestRule } from './match-rule.ts';
export { diskOf } from './disk.ts';
export { readShell, type ShellContext } from './read-shell.ts';
export type { ShellPart, ShellReading, ShellTarget } from './reading.ts';
