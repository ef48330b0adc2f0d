/** The names in the help show which arguments take an id. */
const ARGUMENTS: ReadonlySet<string> = new Set(['id', 'ids', 'task', 'other']);

/** `<id>`, `[ids...]`, or the name alone. */
export function isIdArgument(name: string): boolean {
  return ARGUMENTS.has(name.replaceAll(/[[\]<>.]/g, ''));
}

/** `--task <id>`. */
export function isIdFlag(flag: string): boolean {
  return flag.endsWith(' <id>');
}
