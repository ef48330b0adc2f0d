import type {
  InitializeResponse,
  ListSessionsResponse,
  NewSessionResponse,
  SessionInfo,
} from '@agentclientprotocol/sdk/unstable';
import { defined, isRecord } from '@attractor/base';
import { RpcError, type Rpc } from '@attractor/rpc';
import { choiceOf, configOptions, modeState } from './conversation/choices.ts';
import { type Conversation, failureOf, later, openConversation } from './conversation/conversation.ts';
import { serversOf } from './conversation/servers.ts';
import { offersOf, createEditor, type Editor } from './editor/editor.ts';
import type { AcpHost, FolderAgent } from './host.ts';
import { blocksOf, folderOf, furtherFoldersOf, mcpServersOf, type Params, textOf } from './params.ts';
import { earlierUpdates } from './telling/earlier-turns.ts';

type Methods = Readonly<Record<string, (params: Params) => Promise<unknown>>>;

/** The conversations of one editor, and what it may ask for. */
export type EditorConversations = {
  readonly methods: Methods;
  readonly cancel: (sessionId: string) => void;
  readonly close: () => Promise<void>;
};

type World = {
  readonly host: AcpHost;
  readonly rpc: Rpc;
  readonly open: Map<string, Conversation>;
  can: Editor['can'];
};

const NOT_FOUND = -32002;
const INVALID = -32602;
const PAGE = 50;

export function openConversations(host: AcpHost, rpc: Rpc): EditorConversations {
  const world: World = { host, rpc, open: new Map(), can: offersOf(undefined) };
  return {
    methods: { ...meeting(world), ...opening(world), ...keeping(world), ...talking(world) },
    cancel: (sessionId) => void world.open.get(sessionId)?.cancel(),
    close: async () => {
      const all = [...world.open];
      world.open.clear();
      await Promise.all(all.map(async ([id, one]) => leave(world, id, one)));
    },
  };
}

function meeting(world: World): Methods {
  const { host } = world;
  return {
    initialize: async ({ clientCapabilities }): Promise<InitializeResponse> => {
      world.can = offersOf(isRecord(clientCapabilities) ? clientCapabilities : undefined);
      return {
        protocolVersion: 1,
        agentInfo: { name: 'attractor', title: 'Attractor', version: host.version },
        authMethods: [{ id: 'key', name: 'A key for a model', description: host.howToLogIn }],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, delete: {}, additionalDirectories: {} },
        },
      };
    },
    authenticate: async () => {
      const login = host.checkLogin();
      if (!login.ok) throw failureOf(login.error);
      return {};
    },
  };
}

/** What begins a conversation, or goes on with one. */
function opening(world: World): Methods {
  const { sessions } = world.host;
  return {
    'session/new': (params) => begin(world, params),
    'session/load': async (params) => {
      const sessionId = kept(world, params);
      const answer = await begin(world, params, sessionId);
      const { update } = createEditor(world.rpc, world.can, () => sessionId);
      for (const past of earlierUpdates(sessions.turns(sessionId), folderOf(params))) update(past);
      return answer;
    },
    'session/resume': (params) => begin(world, params, kept(world, params)),
    'session/fork': async (params) => {
      const forked = sessions.fork(kept(world, params));
      if (!forked.ok) throw new RpcError(INVALID, forked.error.message);
      return begin(world, params, forked.value.id);
    },
  };
}

/** The whole id of a session that is kept here; a session that is open in this process is let go first. */
function kept({ host }: World, params: Params): string {
  const found = host.sessions.find(textOf(params, 'sessionId'));
  if (!found.ok) throw new RpcError(NOT_FOUND, found.error.message);
  return found.value.id;
}

async function begin(world: World, params: Params, resume?: string): Promise<NewSessionResponse> {
  const folder = folderOf(params);
  const furtherFolders = furtherFoldersOf(params);
  const servers = serversOf(mcpServersOf(params));
  if (resume !== undefined) await letGo(world, resume);
  const agent = await world.host.agentIn(folder, furtherFolders);
  if (!agent.ok) throw failureOf(agent.error);
  const place = { agent: agent.value, folder, furtherFolders, servers, ...defined({ resume }) };
  let id = resume ?? '';
  const editor = createEditor(world.rpc, world.can, () => id);
  try {
    const conversation = await openConversation({ ...place, editor });
    id = conversation.id;
    world.open.set(id, conversation);
    later(() => tellCommands(editor, agent.value));
    return { sessionId: id, ...stateOf(conversation) };
  } catch (error) {
    await agent.value.close();
    throw error;
  }
}

function stateOf({ agent, choices }: Conversation): Pick<NewSessionResponse, 'modes' | 'configOptions'> {
  return { modes: modeState(agent, choices()), configOptions: configOptions(agent, choices()) };
}

/** What the session itself understands, besides what a person wrote down. */
const OWN_COMMANDS = [
  { name: 'compact', description: 'Shorten the conversation to a summary', input: { hint: 'what matters most' } },
  { name: 'remember', description: 'Keep a sentence for later conversations', input: { hint: 'what to remember' } },
];

function tellCommands(editor: Editor, { commands, skills }: FolderAgent): void {
  const theirs = [...commands, ...skills].map(({ name, description }) => ({
    name,
    description,
    input: { hint: 'arguments' },
  }));
  editor.update({ sessionUpdate: 'available_commands_update', availableCommands: [...OWN_COMMANDS, ...theirs] });
}

async function letGo(world: World, sessionId: string): Promise<void> {
  const conversation = world.open.get(sessionId);
  world.open.delete(sessionId);
  if (conversation !== undefined) await leave(world, sessionId, conversation);
}

/** Editors open conversations ahead in which nothing is ever said: of those nothing stays. */
async function leave({ host: { sessions } }: World, sessionId: string, conversation: Conversation): Promise<void> {
  await conversation.close();
  const found = sessions.find(sessionId);
  if (found.ok && found.value.turns === 0) sessions.delete(sessionId, { forever: true });
}

/** What is done with conversations as a whole. */
function keeping(world: World): Methods {
  const { sessions } = world.host;
  return {
    'session/list': async ({ cwd, cursor }): Promise<ListSessionsResponse> => {
      const from = typeof cursor === 'string' ? Number.parseInt(cursor, 10) : 0;
      if (!(from >= 0)) throw new RpcError(INVALID, '"cursor" must be one that was given with a list.');
      const all = sessions.list(typeof cwd === 'string' ? { cwd } : {}).filter(({ turns }) => turns > 0);
      const next = from + PAGE < all.length ? { nextCursor: String(from + PAGE) } : {};
      return { sessions: all.slice(from, from + PAGE).map(infoOf), ...next };
    },
    'session/close': async (params) => {
      const { id } = conversationOf(world, params);
      await letGo(world, id);
      return {};
    },
    'session/delete': async (params) => {
      const sessionId = kept(world, params);
      await letGo(world, sessionId);
      const deleted = sessions.delete(sessionId);
      if (!deleted.ok) throw new RpcError(INVALID, deleted.error.message);
      return {};
    },
  };
}

function infoOf({ id, cwd, title, updatedAt }: ReturnType<AcpHost['sessions']['list']>[number]): SessionInfo {
  return { sessionId: id, cwd, title, updatedAt };
}

function conversationOf({ open }: World, params: Params): { readonly id: string; readonly conversation: Conversation } {
  const id = textOf(params, 'sessionId');
  const conversation = open.get(id);
  if (conversation === undefined)
    throw new RpcError(NOT_FOUND, `There is no open conversation ${id}: load it, or begin a new one.`);
  return { id, conversation };
}

function talking(world: World): Methods {
  const { rpc, host } = world;
  const choose = (params: Params, configId: string, value: unknown): Conversation => {
    const { conversation } = conversationOf(world, params);
    const choice = choiceOf(conversation.agent, configId, value);
    if (choice === null) throw new RpcError(INVALID, `"${configId}" can't be ${JSON.stringify(value)}.`);
    conversation.choose(choice);
    return conversation;
  };
  return {
    'session/prompt': async (params) => {
      const { id, conversation } = conversationOf(world, params);
      const answer = await conversation.prompt(blocksOf(params));
      const info = host.sessions.find(id);
      if (info.ok) {
        const { title, updatedAt } = info.value;
        createEditor(rpc, world.can, () => id).update({ sessionUpdate: 'session_info_update', title, updatedAt });
      }
      return answer;
    },
    'session/set_mode': async (params) => {
      choose(params, 'mode', params['modeId']);
      return {};
    },
    'session/set_config_option': async (params) => {
      const { agent, choices } = choose(params, textOf(params, 'configId'), params['value']);
      return { configOptions: configOptions(agent, choices()) };
    },
  };
}
