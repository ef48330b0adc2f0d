import path from 'node:path';
import { isRecord } from '@attractor/base';
import { readJsonWithLines } from './json-with-lines.ts';
import type { SettingEntry, Source } from './source.ts';

const LISTS = ['enabledMcpjsonServers', 'disabledMcpjsonServers'];

/**
 * What Claude Code keeps in `~/.claude.json` for one folder alone: `projects[folder].mcpServers`, where `claude mcp add` writes, and which
 * servers of a `.mcp.json` the person chose. They are the person's own and stronger than the repository's.
 */
export function claudeProjects(
  sources: ReadonlyArray<Source>,
  folders: ReadonlyArray<string>,
): ReadonlyArray<SettingEntry> {
  return sources
    .filter(({ origin }) => path.basename(origin.file ?? '') === '.claude.json')
    .flatMap((source) => [...new Set(folders)].flatMap((folder) => entriesFor(source, folder)));
}

/** The file holds much else and may be large: it is read with its lines only if it says something about the folder. */
function entriesFor({ text, origin }: Source, folder: string): ReadonlyArray<SettingEntry> {
  if (!text.includes(JSON.stringify(folder))) return [];
  const json = readJsonWithLines(text);
  const about = json.ok ? json.node.members?.get('projects')?.members?.get(folder)?.members : null;
  const servers = about?.get('mcpServers')?.members ?? new Map();
  return [
    ...[...servers].flatMap(([key, { value, keyLine }]) =>
      isRecord(value) ? [{ name: 'mcpServers', key, value, origin: { ...origin, line: keyLine } }] : [],
    ),
    ...LISTS.flatMap((name) =>
      (about?.get(name)?.items ?? []).map(({ value, line }) => ({
        name,
        key: null,
        value: String(value),
        origin: { ...origin, line },
      })),
    ),
  ];
}
