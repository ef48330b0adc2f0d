import { join } from 'node:path';
import type { Result } from '@attractor/base';
import { type AgentDefinition, loadSettings, sessionSettings } from '@attractor/settings';
import {
  disabledServers,
  type ExecutionEnvironment,
  type Hooks,
  hooksOfSettings,
  openSessionFiles,
  openSessionHooks,
  openSessionServers,
  type ProviderProfile,
  type SessionFiles,
  type ToolPorts,
} from '@attractor/agent';
import type { Mcp } from '@attractor/mcp';
import type { Policy } from '@attractor/policy';
import type { AgentRunOptions } from '../agent.ts';
import type { SettingsOfPerson } from './permissions.ts';

/**
 * What the person, and a repository that they trust, give to every session, in a run of a pipeline: hooks, MCP servers, skills, commands,
 * agents and documents. Nothing of a repository that nobody trusted is among it. `close` ends the servers and hooks.
 */
export type BroughtAlong = {
  readonly ports: Pick<ToolPorts, 'skills' | 'commands'>;
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly hooks: Hooks | null;
  readonly mcp: Mcp | null;
  /** For the person: what is written down and not used. */
  readonly problems: ReadonlyArray<string>;
  readonly equip: (profile: ProviderProfile) => Promise<ProviderProfile>;
  readonly bind: (policy: Policy) => void;
  readonly close: () => Promise<void>;
};

type Place = Pick<
  AgentRunOptions,
  'runId' | 'projectPath' | 'repositoryPath' | 'sandbox' | 'statePath' | 'readOnly' | 'abortSignal'
> & {
  readonly environment: ExecutionEnvironment;
};

type Opened = Result<BroughtAlong, Error>;

const NOTHING: BroughtAlong = {
  ports: {},
  agents: [],
  hooks: null,
  mcp: null,
  problems: [],
  equip: async (profile) => profile,
  bind: () => undefined,
  close: async () => undefined,
};

/** A hook that can't be understood ends the run before it starts: it may be one that forbids. */
export async function bringAlong(settings: SettingsOfPerson | undefined, place: Place): Promise<Opened> {
  if (settings === undefined) return { ok: true, value: NOTHING };
  const loaded = loadSettings({ ...settings, folder: place.repositoryPath ?? place.projectPath });
  const files = await openSessionFiles({
    ...settings,
    loaded,
    cwd: place.projectPath,
    root: place.projectPath,
  });
  if (!files.ok) return { ok: false, error: new Error(files.message) };
  const hooks = hooksOfSettings(loaded, settings);
  const [refusal] = hooks.problems;
  if (refusal !== undefined) return { ok: false, error: new Error(refusal) };
  const definitions = [...hooks.definitions, ...files.value.hooks];
  const opened = openSessionHooks({
    definitions,
    cwd: place.projectPath,
    outputFolder: join(place.statePath, 'outputs'),
    environment: place.environment,
    sandbox: place.sandbox ?? null,
    variables: settings.env,
  });
  const servers = openServers(settings, place, { loaded, files: files.value });
  const unready = await notReady(servers?.mcp ?? null, place.abortSignal);
  return {
    ok: true,
    value: {
      ...files.value,
      hooks: opened,
      mcp: servers?.mcp ?? null,
      problems: [...files.value.problems, ...hooks.unused, ...(servers?.problems ?? []), ...unready],
      bind: (policy) => files.value.bind({ policy, environment: place.environment, sessionId: place.runId }),
      close: async () => {
        await opened?.close();
        await servers?.mcp.close();
      },
    },
  };
}

type Sources = { readonly loaded: ReturnType<typeof loadSettings>; readonly files: SessionFiles };

/**
 * Programs are started in the run's sandbox, as its commands are. Null: nothing is started, because there are none, or because the run
 * only reads and no server's word that it does so is enough.
 */
function openServers(
  settings: SettingsOfPerson,
  { projectPath, sandbox, readOnly }: Place,
  { loaded, files }: Sources,
) {
  const ofSettings = sessionSettings(loaded);
  const servers = new Map([...files.mcpServers, ...ofSettings.mcpServers]);
  if (servers.size === 0 || readOnly) return null;
  return openSessionServers({
    settings: servers,
    disabled: disabledServers(loaded, ofSettings),
    cwd: projectPath,
    sandbox: sandbox ?? null,
    home: settings.home,
    env: settings.env,
    version: settings.version ?? 'unknown',
  });
}

/** Servers that do not come up are told of, and the run goes on without them. */
async function notReady(mcp: Mcp | null, signal: AbortSignal): Promise<ReadonlyArray<string>> {
  if (mcp === null) return [];
  const close = (): void => void mcp.close();
  signal.addEventListener('abort', close, { once: true });
  const states = await mcp.ready();
  signal.removeEventListener('abort', close);
  return states.flatMap(({ problem }) => (problem === null ? [] : [problem.message.replaceAll(/\s+/g, ' ')]));
}
