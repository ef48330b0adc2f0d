import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { effectiveFiles } from '@attractor/headless';
import { loadSettings, type SettingsQuery } from '@attractor/settings';
import { CommandFailure, EXIT, createStyle, putStyled } from '@attractor/console';
import type { ModelFlags } from '../model-flags.ts';
import { homeFolder } from '../settings.ts';
import { jsonLines } from './json-lines.ts';
import { personLines } from './person-lines.ts';

export type ShowFlags = ModelFlags & { readonly json?: boolean; readonly cwd?: string; readonly all?: boolean };

/** `attractor config show`. */
export async function showSettings(flags: ShowFlags): Promise<number> {
  const folder = resolve(flags.cwd ?? process.cwd());
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandFailure(`--cwd: ${folder} is not a folder.`, EXIT.notFound);
  const places = { home: homeFolder(process.env), userHome: process.env['HOME'] ?? homedir(), folder };
  const settings = loadSettings({ ...places, env: process.env, flags: flagsOf(flags) });
  const effective = await effectiveFiles({ ...places, trust: settings.trust });
  const loaded = {
    ...settings,
    problems: [...settings.problems, ...effective.problems],
    unmapped: [...settings.unmapped, ...effective.unmapped],
  };
  const style = createStyle(process.stdout, process.env);
  const showing = { style, all: flags.all === true, effective: effective.files };
  const lines = flags.json === true ? jsonLines(loaded, effective.files) : personLines(loaded, showing);
  putStyled(process.stdout, lines.map((line) => `${line}\n`).join(''));
  return loaded.refusals.length > 0 ? EXIT.refused : EXIT.done;
}

function flagsOf(flags: ShowFlags): NonNullable<SettingsQuery['flags']> {
  const { provider, model } = flags;
  return [
    ...(provider === undefined ? [] : [['--provider', 'provider', provider] as const]),
    ...(model === undefined ? [] : [['--model', 'model', model] as const]),
  ];
}
