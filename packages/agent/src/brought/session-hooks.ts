import { defined } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { Variables } from '@attractor/system';
import {
  type HookDefinition,
  type HookReading,
  type LoadedSettings,
  readClineHooks,
  readHookDefinitions,
  sessionSettings,
} from '@attractor/settings';

import { createHooks, type Hooks } from '../hooks/hooks.ts';

import type { Sandbox } from '@attractor/confine';

import type { ExecutionEnvironment } from '../types/index.ts';

/** The hooks that settings and files of other agents define. While `problems` holds anything, no session may start: it may be a guard. */
export function hooksOfSettings(loaded: LoadedSettings, { userHome }: { readonly userHome: string }): HookReading {
  const written = readHookDefinitions(sessionSettings(loaded).hooks);
  const ofFiles = areHooksOff(loaded) ? [] : readClineHooks({ trust: loaded.trust, userHome });
  return { ...written, definitions: [...written.definitions, ...ofFiles] };
}

export function areHooksOff({ settings }: LoadedSettings): boolean {
  return settings.find(({ row }) => row.name === 'disableAllHooks')?.entries[0]?.value === true;
}

export type SessionHooksQuery = {
  readonly definitions: ReadonlyArray<HookDefinition>;
  readonly cwd: string;
  readonly outputFolder: string;
  /** Where the session's own commands run. */
  readonly environment: ExecutionEnvironment;
  readonly sandbox: Sandbox | null;
  /** Absent: the environment of this process. */
  readonly variables?: Variables;
};

/**
 * The hooks of a session; null when there are none. A person's own run on the machine itself, like whatever else they start; those of a
 * repository run where the session's commands do, for they may call what the agent changed.
 */
export function openSessionHooks(query: SessionHooksQuery): Hooks | null {
  const { definitions, cwd, outputFolder, environment, sandbox, variables } = query;
  if (definitions.length === 0) return null;
  const host = defined({ variables });
  return createHooks({
    definitions,
    environment: createLocalExecutionEnvironment(cwd, 'inherit_core', defined({ env: variables })),
    confined: { environment, sandbox: sandbox ?? undefined },
    outputFolder,
    ...host,
  });
}
