import path from 'node:path';
import type { LoadedSettings } from '../settings/load-settings.ts';
import type { SessionSettings } from '../settings/session-settings.ts';

/** The repository's servers that are switched off: by name and, if a person chose servers of a `.mcp.json`, all others. */
export function disabledServers(
  loaded: LoadedSettings,
  { mcpServers }: Pick<SessionSettings, 'mcpServers'>,
): ReadonlyArray<string> {
  const valuesOf = (name: string): ReadonlyArray<unknown> =>
    loaded.settings.find(({ row }) => row.name === name)?.entries.map(({ value }) => value) ?? [];
  const wanted = valuesOf('enabledMcpjsonServers');
  const areAllWanted = wanted.length === 0 || valuesOf('enableAllProjectMcpServers')[0] === true;
  const shared = [...mcpServers].filter(([, { origin }]) => path.basename(origin.file ?? '') === '.mcp.json');
  const unwanted = areAllWanted ? [] : shared.flatMap(([name]) => (wanted.includes(name) ? [] : [name]));
  return [...valuesOf('disabledMcpjsonServers').map(String), ...unwanted];
}
