import { readClineHooks } from '../hooks/cline-files.ts';
import { type HookDefinition, isOfRepository } from '../hooks/definition.ts';
import { type HookReading, readHookDefinitions } from '../hooks/read-definitions.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { sessionSettings } from '../settings/session-settings.ts';
import type { TrustExamination } from '../trust/trust.ts';

/** The hooks that settings and files of other agents define. While `problems` is not empty, no session may start: it may be a guard. */
export function hooksOfSettings(loaded: LoadedSettings, { userHome }: { readonly userHome: string }): HookReading {
  const written = readHookDefinitions(sessionSettings(loaded).hooks);
  const ofFiles = areHooksOff(loaded) ? [] : readClineHooks({ trust: loaded.trust, userHome });
  return { ...written, definitions: [...written.definitions, ...ofFiles] };
}

/** A repository's hooks know which bytes were trusted with them; a person's own need none. */
export function withTrusted(
  definitions: ReadonlyArray<HookDefinition>,
  { trust, home }: { readonly trust: TrustExamination; readonly home: string },
): ReadonlyArray<HookDefinition> {
  const trusted = trustedBytes(trust);
  return definitions.map((one) => (isOfRepository(one) ? { ...one, trusted, trustHome: home } : one));
}

/** The SHA-256 of every file of the repository that a person trusted. */
export function trustedBytes({ files }: TrustExamination): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]));
}

export function areHooksOff({ settings }: LoadedSettings): boolean {
  return settings.find(({ row }) => row.name === 'disableAllHooks')?.entries[0]?.value === true;
}
