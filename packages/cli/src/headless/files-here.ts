import { homedir } from 'node:os';
import type { LoadedSettings } from '@attractor/settings';
import { openSessionFiles, type SessionFiles } from '@attractor/agent';
import { CommandFailure, EXIT } from '../exit.ts';
import type { ToolsHere } from './tools-here.ts';

type Here = {
  readonly loaded: LoadedSettings;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What a person brings from other agents, and a repository that they trust, as a headless run uses it. */
export type FilesHere = Omit<SessionFiles, 'equip'> & {
  /** Gives profiles what they are told of these files. */
  readonly equip: (tools: ToolsHere) => Promise<ToolsHere>;
};

export async function filesHere({ loaded, cwd, home, env }: Here): Promise<FilesHere> {
  const userHome = env['HOME'] ?? homedir();
  const opened = await openSessionFiles({ loaded, cwd, root: loaded.trust.root, home, userHome });
  if (!opened.ok) throw new CommandFailure(opened.message, EXIT.refused);
  const { equip, ...files } = opened.value;
  return {
    ...files,
    equip: async (tools) => ({
      ...tools,
      profile: await equip(tools.profile),
      profiles: await Promise.all(tools.profiles.map(equip)),
    }),
  };
}
