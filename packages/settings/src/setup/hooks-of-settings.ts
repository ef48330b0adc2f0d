import { readClineHooks } from '../hooks/cline-files.ts';
import { type HookReading, readHookDefinitions } from '../hooks/read-definitions.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { sessionSettings } from '../settings/session-settings.ts';

/** The hooks that settings and files of other agents define. While `problems` is not empty, no session may start: it may be a guard. */
export function hooksOfSettings(loaded: LoadedSettings, { userHome }: { readonly userHome: string }): HookReading {
  const written = readHookDefinitions(sessionSettings(loaded).hooks);
  const ofFiles = areHooksOff(loaded) ? [] : readClineHooks({ trust: loaded.trust, userHome });
  return { ...written, definitions: [...written.definitions, ...ofFiles] };
}

export function areHooksOff({ settings }: LoadedSettings): boolean {
  return settings.find(({ row }) => row.name === 'disableAllHooks')?.entries[0]?.value === true;
}
