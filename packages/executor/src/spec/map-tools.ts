import { isRecord } from '@attractor/base';
import { namesOfTool } from '@attractor/tool-table';
import { FILE_TOOLS, publicName, type FileToolName } from '../file-tools/definitions.ts';

/** The names that other agents use for our tools, in lower case and without separators. */
const NAMES: ReadonlyMap<string, FileToolName> = new Map(
  FILE_TOOLS.flatMap(({ name, insteadOf }) => {
    const names = [name.slice('file.'.length), ...insteadOf.flatMap(namesOfTool)];
    return names.map((one) => [bare(one), name] as const);
  }),
);

export type MappedTools = { readonly tools: ReadonlyArray<FileToolName>; readonly unknown: ReadonlyArray<string> };

/**
 * The tools named by a list, a comma-separated text or a table of booleans. `deny` removes them from `before`, or from all tools.
 * Null if the value is none of these.
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
  const given = which === 'deny' || isRecord(value) ? before : known(named.on);
  return { tools: given.filter((tool) => !taken.includes(tool)), unknown };
}

function namesOf(value: unknown): { readonly on: ReadonlyArray<string>; readonly off: ReadonlyArray<string> } | null {
  if (value === null || value === undefined) return { on: ['*'], off: [] };
  if (typeof value === 'string') return { on: value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [], off: [] };
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? { on: value, off: [] } : null;
  if (!isRecord(value) || !Object.values(value).every((item) => typeof item === 'boolean')) return null;
  const names = Object.keys(value);
  return { on: names.filter((name) => value[name] === true), off: names.filter((name) => value[name] === false) };
}

function toolOf(name: string): FileToolName | null {
  return publicName(name) ?? NAMES.get(bare(name)) ?? null;
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
