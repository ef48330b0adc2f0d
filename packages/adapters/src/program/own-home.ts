import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { AgentRunOptions } from '../agent.ts';

export type OwnHome = { readonly folders: ReadonlyArray<string>; readonly own: Readonly<Record<string, string>> };

/**
 * Where a foreign agent keeps its settings and conversations: a folder of the run, so that it finds nothing of the person's. With
 * `login` these folders of the person's home are its own instead: their login is in them.
 */
export function ownHome(
  { statePath, env }: AgentRunOptions,
  login: { readonly isUsed: boolean; readonly folders: ReadonlyArray<string> },
): OwnHome {
  const home = env['HOME'];
  if (login.isUsed && home !== undefined) {
    const folders = login.folders.map((name) => path.join(home, name));
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { folders, own: {} };
  }
  const folder = path.join(statePath, 'home');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const below = (...names: ReadonlyArray<string>): string => path.join(folder, ...names);
  return {
    folders: [folder],
    own: {
      HOME: folder,
      XDG_CONFIG_HOME: below('.config'),
      XDG_DATA_HOME: below('.local', 'share'),
      XDG_STATE_HOME: below('.local', 'state'),
      XDG_CACHE_HOME: below('.cache'),
    },
  };
}
