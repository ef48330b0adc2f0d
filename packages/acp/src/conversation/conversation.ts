import type { ContentBlock, PromptResponse, StopReason } from '@agentclientprotocol/sdk/unstable';
import type { AgentSession, DeliveredEvent, ExecutionEnvironment } from '@attractor/agent';
import { defined, type Failure, messageOf } from '@attractor/base';
import type { McpServerDefinition } from '@attractor/mcp';
import { RpcError } from '@attractor/rpc';
import { approveInEditor, readerOf } from '../asking/approval.ts';
import { approvePlanInEditor } from '../asking/plan.ts';
import { askInEditor } from '../asking/questions.ts';
import type { Editor } from '../editor/editor.ts';
import { editorEnvironment } from '../editor/editor-environment.ts';
import { editorTerminal } from '../editor/editor-terminal.ts';
import type { Asks, FolderAgent, Opening } from '../host.ts';
import { createTelling, type Telling } from '../telling/telling.ts';
import { type Choices, configOptions } from './choices.ts';
import { inputOf } from './user-input.ts';

/** One conversation of an editor with our agent. Its session is opened again where a cancelled turn closed it. */
export type Conversation = {
  readonly agent: FolderAgent;
  readonly choices: () => Choices;
  readonly choose: (choice: Partial<Choices>) => void;
  /** One prompt at a time; a further one waits its turn. */
  readonly prompt: (blocks: ReadonlyArray<ContentBlock>) => Promise<PromptResponse>;
  /** Stops the turn, and with it every prompt that waits. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ConversationPlace = {
  readonly agent: FolderAgent;
  readonly editor: Editor;
  readonly folder: string;
  readonly furtherFolders: ReadonlyArray<string>;
  readonly servers: ReadonlyArray<McpServerDefinition>;
  /** The session to go on with; absent: a new one. */
  readonly resume?: string;
};

type State = {
  choices: Choices;
  session: AgentSession | null;
  id: string | undefined;
  environment: ExecutionEnvironment | null;
  stop: StopReason;
  cancels: number;
  watching: Promise<void>;
  last: Promise<unknown>;
};

/** Opens the conversation, and with it its session. Throws an `RpcError` that says what to do. */
export async function openConversation(place: ConversationPlace): Promise<Conversation & { readonly id: string }> {
  const { agent, editor, folder } = place;
  const state: State = {
    choices: { mode: agent.mode, model: agent.model, effort: null },
    session: null,
    id: place.resume,
    environment: null,
    stop: 'end_turn',
    cancels: 0,
    watching: Promise.resolve(),
    last: Promise.resolve(),
  };
  const telling = createTelling({ editor, folder, windowOf: agent.windowOf });
  const choose = chooser(place, state);
  const asks = asksOf(place, { state, telling, choose });
  const session = (): Promise<AgentSession> => sessionOf(place, state, { telling, asks });
  const { id, model } = await session();
  state.choices = { ...state.choices, model };
  return {
    id,
    agent,
    choices: () => state.choices,
    choose,
    prompt: (blocks) => {
      const input = inputOf(blocks, folder);
      const { cancels } = state;
      const answered = state.last.then(async () => {
        if (state.cancels !== cancels) return { stopReason: 'cancelled' as const };
        return answer(state, { cancels, work: async () => (await session()).send(input) });
      });
      state.last = answered.catch(() => undefined);
      return answered;
    },
    cancel: async () => {
      state.cancels += 1;
      await state.session?.interrupt();
    },
    close: async () => {
      state.cancels += 1;
      await leave(state);
      await agent.close();
    },
  };
}

type Answering = { readonly cancels: number; readonly work: () => ReturnType<AgentSession['send']> };

async function answer(state: State, { cancels, work }: Answering): Promise<PromptResponse> {
  state.stop = 'end_turn';
  const before = state.session?.usage();
  const reply = await work();
  await caughtUp();
  if (state.cancels !== cancels) return { stopReason: 'cancelled' };
  if (!reply.ok) throw failureOf(reply.error);
  const usage = state.session?.usage();
  const used = (after: number | undefined, first: number | undefined): number => (after ?? 0) - (first ?? 0);
  return {
    stopReason: state.stop,
    usage: {
      inputTokens: used(usage?.inputTokens, before?.inputTokens),
      outputTokens: used(usage?.outputTokens, before?.outputTokens),
      totalTokens: used(usage?.totalTokens, before?.totalTokens),
    },
  };
}

/** Events that were recorded are told one microtask after the other. */
function caughtUp(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

const AUTH_REQUIRED = -32000;
const INTERNAL = -32603;

/** A service that refuses the key is a login that is missing. */
export function failureOf({ code, message }: Failure): RpcError {
  const isLogin = code === 'unauthorised' || code === 'authentication';
  return new RpcError(isLogin ? AUTH_REQUIRED : INTERNAL, message);
}

type Means = { readonly telling: Telling; readonly asks: Asks };

async function sessionOf(place: ConversationPlace, state: State, { telling, asks }: Means): Promise<AgentSession> {
  if (state.session !== null && state.session.state() !== 'CLOSED') return state.session;
  await leave(state);
  const opened = await place.agent.open(openingOf(place, state, telling), asks);
  if (!opened.ok) throw failureOf(opened.error);
  const session = opened.value;
  const isFirst = state.id === undefined || state.id === place.resume;
  state.session = session;
  state.id = session.id;
  const see = (event: DeliveredEvent): void => {
    state.stop = STOPS[event.kind]?.(event) ?? state.stop;
    telling.see(event);
  };
  state.watching = watch(session, see).catch((error: unknown) => note(place.editor, messageOf(error)));
  for (const text of isFirst ? [...place.agent.notes, ...session.notes] : []) later(() => note(place.editor, text));
  return session;
}

function openingOf(place: ConversationPlace, state: State, telling: Telling): Opening {
  const { mode, model, effort } = state.choices;
  // What a resumed session worked with counts until somebody chooses otherwise.
  const isResuming = state.session === null && place.resume !== undefined;
  return {
    mode,
    effort,
    folders: place.furtherFolders,
    ...defined({ resume: state.id, model: isResuming ? undefined : model }),
    ...(place.servers.length === 0 ? {} : { servers: { mcp: place.servers, mcpConfig: {} } }),
    wrapEnvironment: (own) => {
      const { editor, agent } = place;
      const files = editorEnvironment(own, { editor, note: telling.edited });
      state.environment = files;
      if (!editor.can.hasTerminals || agent.isSandboxed) return files;
      return { ...files, execCommand: editorTerminal(own, editor, telling.inTerminal) };
    },
  };
}

async function leave(state: State): Promise<void> {
  await state.session?.close();
  await state.watching;
}

async function watch(session: AgentSession, see: (event: DeliveredEvent) => void): Promise<void> {
  for await (const event of session.events()) see(event);
}

function note(editor: Editor, text: string): void {
  editor.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${text}\n\n` } });
}

/** An editor knows the conversation once its request is answered. */
export function later(tell: () => void): void {
  setImmediate(tell);
}

/** How a turn ends, by what happened in it. */
const STOPS: Readonly<Partial<Record<DeliveredEvent['kind'], (event: DeliveredEvent) => StopReason | null>>> = {
  TURN_LIMIT: () => 'max_turn_requests',
  USER_INPUT_REFUSED: () => 'refusal',
  PROCESSING_END: (event) => (event.kind === 'PROCESSING_END' && event.reason === 'hook_stopped' ? 'refusal' : null),
  ASSISTANT_MESSAGE: (event) => {
    if (event.kind !== 'ASSISTANT_MESSAGE' || event.cutShort === undefined) return 'end_turn';
    return event.cutShort === 'length' ? 'max_tokens' : 'refusal';
  },
};

function chooser({ agent, editor }: ConversationPlace, state: State): Conversation['choose'] {
  return (choice) => {
    const { mode, model, effort } = choice;
    state.choices = { ...state.choices, ...choice };
    if (mode !== undefined) state.session?.setMode(mode);
    if (model !== undefined || effort !== undefined)
      state.session?.configure(defined({ model, reasoningEffort: effort }));
    const update = configOptions(agent, state.choices);
    later(() => {
      if (mode !== undefined) editor.update({ sessionUpdate: 'current_mode_update', currentModeId: mode });
      editor.update({ sessionUpdate: 'config_option_update', configOptions: update });
    });
  };
}

type Asking = { readonly state: State; readonly telling: Telling; readonly choose: Conversation['choose'] };

function asksOf({ editor, folder }: ConversationPlace, { state, telling, choose }: Asking): Asks {
  const place = { editor, telling, folder, textOf: readerOf(() => state.environment) };
  return {
    approve: approveInEditor(place),
    askUser: askInEditor(editor),
    approvePlan: approvePlanInEditor(place, (mode) => choose({ mode })),
  };
}
