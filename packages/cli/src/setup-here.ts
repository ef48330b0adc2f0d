import { homedir } from 'node:os';
import { defined } from '@attractor/base';
import { readSetup, type SessionSetup, type SetupQuery } from '@attractor/settings';
import type { Environment, SettingsFile } from './settings.ts';

export type SetupPlace = {
  /** The folder of our own state. */
  readonly home: string;
  readonly folder: string;
  readonly env: Environment;
} & Pick<SetupQuery, 'given' | 'only' | 'pluginFolders'>;

/** The setup of sessions in a folder; it uses the `config.json` that was read for the command itself. */
export function setupHere({ text }: SettingsFile, place: SetupPlace): Promise<SessionSetup> {
  const userHome = place.env['HOME'] ?? homedir();
  return readSetup({ ...place, userHome, ...defined({ ownFile: text }) });
}
