export { allowsPart, matchShellPattern, restrictsPart, suggestRule } from './match-rule.ts';
export { diskOf } from './disk.ts';
export { readShell } from './read-shell.ts';
export { shownByGit, type GitShown } from './reads/git-shown.ts';
export type { GitList, ShellPart, ShellReading, ShellTarget } from './reading.ts';
