import { existsSync } from 'node:fs';
import path from 'node:path';
import type { UserFiles, UserFilesQuery } from './read-user-files.ts';

const NOTHING: UserFiles = {
  skills: [],
  commands: [],
  agents: [],
  styles: [],
  plugins: [],
  problems: [],
  unmapped: [],
};

/** Where agents keep a person's own files. If none of these exists and nothing is trusted, nothing has to be loaded. */
const FOLDERS = ['.claude', '.agents', '.codex', '.gemini', '.config/opencode', '.pi', 'Documents/Cline'];
const OWN = ['skills', 'commands', 'agents', 'output-styles', 'plugins'];

/** Reads skills, commands, agents, styles and plugins; costs nothing if a person has none. */
export async function openUserFiles(query: UserFilesQuery): Promise<UserFiles> {
  const { home, userHome, trust } = query;
  const folders = [
    ...FOLDERS.map((folder) => path.join(userHome, folder)),
    ...OWN.map((folder) => path.join(home, folder)),
  ];
  const mayHaveSome =
    (trust.state === 'trusted' && trust.files.length > 0) ||
    (query.pluginFolders ?? []).length > 0 ||
    folders.some((folder) => existsSync(folder));
  if (!mayHaveSome) return NOTHING;
  const { readUserFiles } = await import('./read-user-files.ts');
  return readUserFiles(query);
}
