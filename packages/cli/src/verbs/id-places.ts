/** Which places of a command line take the id of something is told by their names in the help. */
const ARGUMENTS: ReadonlySet<string> = new Set(['id', 'ids', 'task', 'other']);

/** `<id>`, `[ids...]`, or the name alone. */
export function isIdArgument(name: string): boolean {
  return ARGUMENTS.has(name.replaceAll(/[[\]<>.]/g, ''));
}

/** `--task <id>`. */
export function isIdFlag(flag: string): boolean {
  return flag.endsWith(' <id>');
}
