import { isRecord } from '@attractor/base';
import type { SettingOrigin, Sourced } from '../settings/origin.ts';

/** The servers that an agent brings with it: a table by name, or a list of such tables and of names. Null: it is neither. */
export function writtenServers(value: unknown, origin: SettingOrigin): ReadonlyMap<string, Sourced<unknown>> | null {
  if (value === undefined || value === null) return new Map();
  const parts: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value];
  const tables = parts.filter((part) => typeof part !== 'string');
  if (!tables.every(isRecord)) return null;
  return new Map(
    tables.flatMap((table) => Object.entries(table)).map(([name, server]) => [name, { value: server, origin }]),
  );
}
