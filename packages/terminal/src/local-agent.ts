import {
  type AgentSession,
  type AgentSessionOptions,
  BUILT_IN_AGENTS,
  createLocalExecutionEnvironment,
  imageIn,
  keepSnapshots,
  memoryFileOf,
  openAgentSession,
  type SessionInput,
  type SnapshotKeeper,
} from '@attractor/agent';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defined, done, failed, messageOf } from '@attractor/base';
import { type HeldSession, journalOf, openSessions, undoFolder } from '@attractor/journal';
import { type Client, getModelInfo, listModels } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';
import { type ConfinementAnswer, handlerText, type SessionSetup } from '@attractor/settings';
import { bashWord } from '@attractor/system';
import { imagePathsIn } from './converse/image-paths.ts';
import type { AgentPort, Asks, OpenWish, RanCommand } from './converse/agent-port.ts';

/** What is written down for a folder, and what a session there is opened with. */
export type LocalAgentOptions = {
  readonly home: string;
  readonly folder: string;
  readonly version: string;
  readonly setup: SessionSetup;
  readonly provider: string;
  readonly model: string;
  readonly mode: PermissionMode;
  readonly client: Client;
  readonly confined: Extract<ConfinementAnswer, { readonly ok: true }>;
  /** The person's own variables, for commands that they type themselves. */
  readonly variables: Readonly<Record<string, string>>;
  /** This program: how to run one of its commands. */
  readonly program: ReadonlyArray<string>;
};

const DAY_MS = 86_400_000;

/** The agent on this machine. No session exists before one is opened; `close` ends the client and the sandbox. */
export function createLocalAgent(given: LocalAgentOptions): AgentPort {
  const { client, apiMs } = timed(given.client);
  const options = { ...given, client };
  const { home, folder, setup, provider, model, mode, confined, program } = options;
  const own = createLocalExecutionEnvironment(folder, 'inherit_all', { variables: () => options.variables });
  const shell: AgentPort['shell'] = async (command, tell, signal) => {
    try {
      const ran = await own.execCommand(command, { onOutput: tell, signal, timeoutMs: DAY_MS });
      return { output: `${ran.stdout}${ran.stderr}`, exitCode: ran.exitCode };
    } catch (error) {
      // Stopped by the person, or it could not be started: as a shell would say it.
      return { output: messageOf(error), exitCode: signal.aborted ? 130 : 126 };
    }
  };
  const ofProgram = (line: string): Promise<RanCommand> =>
    shell(`${program.map(bashWord).join(' ')} ${line}`, () => undefined, new AbortController().signal);
  return {
    provider,
    model,
    mode,
    isSandboxed: confined.sandbox !== null,
    sessions: openSessions({ home }),
    ...listsOf(setup, provider),
    notes: [...(confined.notice === null ? [] : [confined.notice]), ...setup.unused],
    memoryFile: memoryFileOf(folder),
    inputOf: (text) => inputOf(text, { folder, userHome: setup.userHome }),
    open: (wish, asks) => open(options, wish, asks),
    shell,
    attractor: (argv) => ofProgram(argv.map(bashWord).join(' ')),
    attractorLine: ofProgram,
    version: options.version,
    transcriptOf: (id) => journalOf(home, id),
    style: setup.style?.name ?? null,
    apiMs,
    repository: async () => (await import('./checkout-here.ts')).checkoutHere(folder),
    statusLine: setup.statusLine === null ? null : (input) => statusOf(own, setup.statusLine ?? '', input),
    close: async () => {
      await client.close();
      await own.cleanup();
      await confined.sandbox?.close();
    },
  };
}

/** The client, and how long its answers took. */
function timed(client: Client): { readonly client: Client; readonly apiMs: () => number } {
  let spent = 0;
  const stream: Client['stream'] = async function* (request) {
    const asked = performance.now();
    try {
      yield* client.stream(request);
    } finally {
      spent += performance.now() - asked;
    }
  };
  const complete: Client['complete'] = async (request) => {
    const asked = performance.now();
    return client.complete(request).finally(() => (spent += performance.now() - asked));
  };
  return { client: { ...client, stream, complete }, apiMs: () => spent };
}

type Named = { readonly folder: string; readonly userHome: string };

/** The files are the person's to name, wherever they are; what is no image, or too large for a model, is only mentioned. */
async function inputOf(text: string, { folder, userHome }: Named): Promise<SessionInput> {
  const paths = text.startsWith('/') && !/^\/\S*\//.test(text) ? [] : imagePathsIn(text);
  const images = await Promise.all(
    paths.map(async (named) => {
      const file = path.resolve(folder, named.replace(/^~(?=\/)/, userHome));
      return imageIn(await readFile(file).catch(() => Buffer.alloc(0)));
    }),
  );
  const found = images.filter((image) => image !== null);
  return found.length === 0 ? text : [{ kind: 'TEXT', text }, ...found];
}

const STATUS_MS = 5_000;

async function statusOf(
  environment: Pick<ReturnType<typeof createLocalExecutionEnvironment>, 'execCommand'>,
  command: string,
  stdin: string,
): Promise<string> {
  try {
    const { stdout, stderr, exitCode, timedOut } = await environment.execCommand(command, {
      stdin,
      timeoutMs: STATUS_MS,
    });
    if (timedOut) return `status line: no answer within ${STATUS_MS / 1_000} s`;
    return exitCode === 0 ? stdout : `status line: exit ${exitCode} ${stderr.trim().split('\n')[0] ?? ''}`;
  } catch (error) {
    return `status line: ${messageOf(error)}`;
  }
}

async function open(options: LocalAgentOptions, wish: OpenWish, asks: Asks): ReturnType<AgentPort['open']> {
  const { home, folder, setup, provider, model, mode, client, confined, version } = options;
  const sessions = openSessions({ home });
  const about = { cwd: folder, provider, model: wish.model ?? model };
  const held = wish.resume === undefined ? sessions.create(about) : sessions.open(wish.resume);
  if (!held.ok) return failed(held.error);
  const keeper = keepSnapshots({ workspace: folder, statePath: undoFolder(held.value) });
  const opened = await openAgentSession({
    ...wishedOptions(wish, asks, held.value),
    folder,
    furtherFolders: [...setup.folders, ...wish.folders],
    client,
    provider: held.value.about.provider ?? provider,
    setup,
    mode: wish.mode ?? mode,
    sandbox: confined.sandbox ?? 'none',
    beforeChange: keeper.beforeChange,
    version,
    ...defined({ servers: wish.servers, wrapEnvironment: wish.wrapEnvironment, circumstances: wish.circumstances }),
  });
  if (opened.ok) return done(withSnapshots(opened.value, keeper));
  held.value.journal.close();
  return opened;
}

type Wished = Pick<AgentSessionOptions, 'place' | 'model' | 'approve' | 'askUser' | 'ports' | 'config'>;

function wishedOptions({ model, effort }: OpenWish, asks: Asks, place: HeldSession): Wished {
  const { approve, askUser, approvePlan } = asks;
  const config = defined({ reasoningEffort: effort ?? undefined });
  return { place, approve, askUser, ports: { approvePlan }, config, ...defined({ model: model ?? place.about.model }) };
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
