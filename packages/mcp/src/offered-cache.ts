import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tool } from '@modelcontextprotocol/client';
import { isRecord } from '@attractor/base';
import { newId } from '@attractor/base/id';
import type { Offered } from './server-life.ts';
import type { McpServerDefinition } from './definition.ts';

/** What servers offered when they last ran, by the hash of the whole definition: a different definition finds nothing. */
export type OfferedCache = {
  readonly read: (definition: McpServerDefinition) => Offered | null;
  readonly write: (definition: McpServerDefinition, offered: Offered) => void;
};

const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Servers that the person named for this one run are always asked again. */
export function openOfferedCache(home: string | null, now: () => number): OfferedCache {
  if (home === null) return { read: () => null, write: () => undefined };
  const folder = path.join(home, 'cache', 'mcp');
  const fileOf = (definition: McpServerDefinition): string =>
    path.join(folder, `${createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 32)}.json`);
  return {
    read: (definition) => (definition.scope === 'flag' ? null : offeredIn(fileOf(definition), now)),
    write: (definition, offered) => {
      if (definition.scope === 'flag') return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const fresh = `${fileOf(definition)}.${newId('new')}`;
        writeFileSync(fresh, JSON.stringify({ at: now(), ...offered }), { mode: 0o600 });
        renameSync(fresh, fileOf(definition));
      } catch {
        // It only saves a start.
      }
    },
  };
}

function offeredIn(file: string, now: () => number): Offered | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(value)) return null;
    const { at, tools, hasResources, hasPrompts } = value;
    const isFresh = typeof at === 'number' && now() - at < MAX_AGE_MS;
    if (!isFresh || !Array.isArray(tools) || !tools.every(isTool)) return null;
    return { tools, hasResources: hasResources === true, hasPrompts: hasPrompts === true };
  } catch {
    return null;
  }
}

function isTool(value: unknown): value is Tool {
  return isRecord(value) && typeof value['name'] === 'string' && isRecord(value['inputSchema']);
}
