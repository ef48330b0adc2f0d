import { defined } from '@attractor/base';
import { findSandbox } from '@attractor/confine';
import { createClient, modelFor } from '@attractor/llm';
import { confineSession, type SessionSetup } from '@attractor/settings';
import type { AgentPort } from '@attractor/terminal';
import { createLocalAgent } from '@attractor/terminal/local-agent';
import { CommandFailure, EXIT } from '@attractor/console';
import { isPermissionMode, permissionsHere } from '../headless/permissions.ts';
import { modelConfiguration } from '@attractor/headless';
import { requireModel } from '../require-model.ts';
import { type Environment, readSettingsFile, settingsOf } from '../settings.ts';
import { setupHere } from '../setup-here.ts';
import { VERSION } from '../version.ts';
import type { ConverseFlags } from './converse-flags.ts';

export type PortPlace = {
  readonly env: Environment;
  readonly home: string;
  readonly folder: string;
  /** Besides those of the settings. */
  readonly furtherFolders?: ReadonlyArray<string>;
  readonly flags: ConverseFlags;
};

/** The provider and the model that would be asked; without one the command ends with what to do. */
export function checkModel(
  { env, home, flags }: Pick<PortPlace, 'env' | 'home' | 'flags'>,
  asks?: SessionSetup['asks'],
) {
  const settings = { ...settingsOf(readSettingsFile(home)), ...asks };
  const llm = modelConfiguration({ env, settings, flags });
  const provider = requireModel(llm, home);
  return { llm, provider, model: modelFor(provider, { flags, llm, settings }) ?? 'default' };
}

/** The agent for this folder; a mistake in what is written down, or a missing key, ends the command with what to do. */
export async function openPort({ env, home, folder, furtherFolders = [], flags }: PortPlace): Promise<AgentPort> {
  const setup = await setupHere(readSettingsFile(home), { home, folder, env });
  const { permissionMode: given, allowUnsandboxed = false } = flags;
  if (given !== undefined && !isPermissionMode(given))
    throw new CommandFailure(`--permission-mode: no mode ${given}. Take default, acceptEdits or plan.`, EXIT.usage);
  const wanted = { ...defined({ permissionMode: given }), allowedTools: [], disallowedTools: [] };
  const { mode } = permissionsHere(wanted, folder, setup);
  const { llm, provider, model } = checkModel({ env, home, flags }, setup.asks);
  const roots = [folder, ...setup.folders, ...furtherFolders];
  const found = allowUnsandboxed ? NOT_WANTED : await findSandbox({ roots });
  const confined = confineSession({ setup, found, roots, mode, interactive: true, allowUnsandboxed });
  if (!confined.ok) throw new CommandFailure(confined.message, EXIT.refused);
  const client = createClient({ configuration: llm });
  const program = [process.execPath, process.argv[1] ?? ''];
  const about = { home, folder, version: VERSION, setup, provider, model, mode, client, confined, program };
  return createLocalAgent({ ...about, variables: present(env) });
}

const NOT_WANTED = { available: false, reason: 'none is wanted', remedy: '' } as const;

function present(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
