import {
  type AgentSession,
  BUILT_IN_AGENTS,
  createLocalExecutionEnvironment,
  keepSnapshots,
  memoryFileOf,
  openAgentSession,
  type SnapshotKeeper,
} from '@attractor/agent';
import { defined, done, failed } from '@attractor/base';
import { findSandbox } from '@attractor/confine';
import { type HeldSession, openSessions, undoFolder } from '@attractor/journal';
import { type Client, createClient, defaultModel, getModelInfo, listModels } from '@attractor/llm';
import { type ConfinementAnswer, confineSession, handlerText, type SessionSetup } from '@attractor/settings';
import type { PermissionMode } from '@attractor/policy';
import { bashWord } from '@attractor/system';
import type { AgentPort, Asks, OpenWish } from '@attractor/terminal';
import { CommandFailure, EXIT } from '../exit.ts';
import { isPermissionMode, permissionsHere } from '../headless/permissions.ts';
import { modelConfiguration } from '../model-configuration.ts';
import { chosenModel, type ModelFlags } from '../model-flags.ts';
import { requireModel } from '../require-model.ts';
import { type Environment, readSettingsFile, settingsOf } from '../settings.ts';
import { setupHere } from '../setup-here.ts';
import { VERSION } from '../version.ts';
import type { ConverseFlags } from './converse.ts';

export type PortPlace = {
  readonly env: Environment;
  readonly home: string;
  readonly folder: string;
  readonly flags: ModelFlags & ConverseFlags;
};

/** What the terminal app needs of the rest: the setup is read once, and no session exists before it is opened. */
export async function openPort(place: PortPlace): Promise<AgentPort> {
  const { env, home, folder } = place;
  const found = await foundHere(place);
  const { setup, provider, model, mode, client, confined } = found;
  const own = createLocalExecutionEnvironment(folder, 'inherit_all', { variables: () => withoutAbsent(env) });
  const shell: AgentPort['shell'] = async (command, tell, signal) => {
    const ran = await own.execCommand(command, { onOutput: tell, signal, timeoutMs: DAY_MS });
    return { output: `${ran.stdout}${ran.stderr}`, exitCode: ran.exitCode };
  };
  const program = [process.execPath, process.argv[1] ?? ''];
  return {
    provider,
    model,
    mode,
    sessions: openSessions({ home }),
    ...listsOf(setup, provider),
    notes: [...(confined.notice === null ? [] : [confined.notice]), ...setup.unused],
    memoryFile: memoryFileOf(folder),
    open: (wish, asks) => open(place, found, { wish, asks }),
    shell,
    attractor: (argv) =>
      shell([...program, ...argv].map(bashWord).join(' '), () => undefined, new AbortController().signal),
    close: async () => {
      await client.close();
      await own.cleanup();
      await confined.sandbox?.close();
    },
  };
}

type Found = {
  readonly setup: SessionSetup;
  readonly provider: string;
  readonly model: string;
  readonly mode: PermissionMode;
  readonly client: Client;
  readonly confined: Extract<ConfinementAnswer, { readonly ok: true }>;
};

/** What is written down for this folder; a mistake in it, or a missing key, ends the command with what to do. */
async function foundHere({ env, home, folder, flags }: PortPlace): Promise<Found> {
  const file = readSettingsFile(home);
  const settings = settingsOf(file);
  const setup = await setupHere(file, { home, folder, env });
  const { permissionMode: given, allowUnsandboxed = false } = flags;
  if (given !== undefined && !isPermissionMode(given))
    throw new CommandFailure(
      `--permission-mode: there is no mode ${given}. Take default, acceptEdits or plan.`,
      EXIT.usage,
    );
  const wanted = { ...defined({ permissionMode: given }), allowedTools: [], disallowedTools: [] };
  const { mode } = permissionsHere(wanted, folder, setup);
  const llm = modelConfiguration({ env, settings, flags });
  const provider = requireModel(llm, home);
  const model = chosenModel(flags, settings).model ?? defaultModel(provider) ?? 'default';
  const roots = [folder, ...setup.folders];
  const sandboxes = allowUnsandboxed ? NOT_WANTED : await findSandbox({ roots });
  const confined = confineSession({ setup, found: sandboxes, roots, mode, interactive: true, allowUnsandboxed });
  if (!confined.ok) throw new CommandFailure(confined.message, EXIT.refused);
  return { setup, provider, model, mode, confined, client: createClient({ configuration: llm }) };
}

const NOT_WANTED = { available: false, reason: 'none is wanted', remedy: '' } as const;

type Opened = { readonly wish: OpenWish; readonly asks: Asks };

async function open({ home, folder }: PortPlace, found: Found, { wish, asks }: Opened): ReturnType<AgentPort['open']> {
  const { setup, provider, model, mode, client, confined } = found;
  const sessions = openSessions({ home });
  const about = { cwd: folder, provider, model: wish.model ?? model };
  const held = wish.resume === undefined ? sessions.create(about) : sessions.open(wish.resume);
  if (!held.ok) return failed(held.error);
  const keeper = keepSnapshots({ workspace: folder, statePath: undoFolder(held.value) });
  const opened = await openAgentSession({
    ...optionsOf(wish, asks, held.value),
    folder,
    furtherFolders: [...setup.folders, ...wish.folders],
    client,
    provider: held.value.about.provider ?? provider,
    setup,
    mode: wish.mode ?? mode,
    sandbox: confined.sandbox ?? 'none',
    beforeChange: keeper.beforeChange,
    version: VERSION,
  });
  if (opened.ok) return done(withSnapshots(opened.value, keeper));
  held.value.journal.close();
  return opened;
}

const DAY_MS = 86_400_000;

type Opening = Pick<
  Parameters<typeof openAgentSession>[0],
  'place' | 'model' | 'approve' | 'askUser' | 'ports' | 'config'
>;

function optionsOf({ model, effort }: OpenWish, { approve, askUser, approvePlan }: Asks, place: HeldSession): Opening {
  const chosen = model ?? place.about.model;
  const config = defined({ reasoningEffort: effort ?? undefined });
  return { place, approve, askUser, ports: { approvePlan }, config, ...defined({ model: chosen }) };
}

type Lists = Pick<AgentPort, 'commands' | 'skills' | 'agents' | 'rules' | 'hooks' | 'servers' | 'models' | 'windowOf'>;

function listsOf({ files, rules, hooks, servers }: SessionSetup, provider: string): Lists {
  return {
    commands: files.commands,
    skills: files.skills,
    agents: [...BUILT_IN_AGENTS, ...files.agents.map(({ definition }) => definition)],
    rules: rules.map(
      ({ behavior, text, origin }) => `${behavior} ${text}${origin.file === null ? '' : ` (${origin.file})`}`,
    ),
    hooks: hooks.flatMap(({ event, matcher, handlers }) =>
      handlers.map((handler) => `${event}${matcher === undefined ? '' : ` on ${matcher}`}: ${handlerText(handler)}`),
    ),
    servers: [...servers.keys()].map((name) => `${name}: starts with your first input`),
    models: listModels(provider).map(({ id, displayName }) => ({ name: id, description: displayName })),
    windowOf: (model) => getModelInfo(model)?.contextWindow ?? null,
  };
}

/** Snapshots of files are taken as events come, so that a person can take them back. */
function withSnapshots(session: AgentSession, keeper: SnapshotKeeper): AgentSession {
  return {
    ...session,
    events: async function* seen() {
      for await (const event of session.events()) {
        keeper.see(event);
        yield event;
      }
    },
    close: async () => {
      await session.close();
      await keeper.close();
    },
  };
}

function withoutAbsent(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
