import { isFields } from '../file-tools/arguments.ts';
import { FILE_TOOLS, publicName, type FileToolName } from '../file-tools/definitions.ts';

/** What other tools call what ours do; in lower case, without separators. */
const NAMES: Readonly<Record<string, FileToolName>> = {
  read: 'file.read',
  readfile: 'file.read',
  write: 'file.write',
  writefile: 'file.write',
  edit: 'file.patch',
  editfile: 'file.patch',
  multiedit: 'file.patch',
  replace: 'file.patch',
  patch: 'file.patch',
  delete: 'file.delete',
  ls: 'file.list',
  list: 'file.list',
  listdir: 'file.list',
  listdirectory: 'file.list',
  glob: 'file.list',
  grep: 'file.search',
  search: 'file.search',
  searchfilecontent: 'file.search',
};

export type MappedTools = { readonly tools: ReadonlyArray<FileToolName>; readonly unknown: ReadonlyArray<string> };

/**
 * The tools that a list, a comma-separated text or a table of booleans names. `deny` takes them away from `before`, or from all.
 * Null when the value is none of these.
 */
export function mapTools(
  value: unknown,
  which: 'allow' | 'deny',
  before: ReadonlyArray<FileToolName> = FILE_TOOLS.map(({ name }) => name),
): MappedTools | null {
  const named = namesOf(value);
  if (named === null) return null;
  const known = (names: ReadonlyArray<string>): ReadonlyArray<FileToolName> =>
    before.filter((tool) => names.some((name) => name === '*' || toolOf(name) === tool));
  const unknown = [...named.on, ...named.off].filter((name) => name !== '*' && toolOf(name) === null);
  const taken = which === 'deny' ? known(named.on) : known(named.off);
  const given = which === 'deny' || isFields(value) ? before : known(named.on);
  return { tools: given.filter((tool) => !taken.includes(tool)), unknown };
}

function namesOf(value: unknown): { readonly on: ReadonlyArray<string>; readonly off: ReadonlyArray<string> } | null {
  if (value === null || value === undefined) return { on: ['*'], off: [] };
  if (typeof value === 'string') return { on: value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [], off: [] };
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? { on: value, off: [] } : null;
  if (!isFields(value) || !Object.values(value).every((item) => typeof item === 'boolean')) return null;
  const names = Object.keys(value);
  return { on: names.filter((name) => value[name] === true), off: names.filter((name) => value[name] === false) };
}

function toolOf(name: string): FileToolName | null {
  return publicName(name) ?? NAMES[name.toLowerCase().replaceAll(/[_-]/g, '')] ?? null;
}
