import { homedir } from 'node:os';
import { defined } from '@attractor/base';
import { readSetup, type SessionSetup } from '@attractor/settings';
import type { Environment, SettingsFile } from './settings.ts';

export type SetupPlace = {
  /** The folder of our own state. */
  readonly home: string;
  readonly folder: string;
  readonly env: Environment;
};

/** The setup of sessions in a folder; it uses the `config.json` that was read for the command itself. */
export function setupHere({ text }: SettingsFile, { home, folder, env }: SetupPlace): Promise<SessionSetup> {
  const userHome = env['HOME'] ?? homedir();
  return readSetup({ home, userHome, env, folder, ...defined({ ownFile: text }) });
}
