import { isRecord } from '@attractor/base';
import type { PersonMessage } from '../agent.ts';
import type { Dialogue, Pipe } from '../program/dialogue.ts';
import { endingOf, type Hearing, openHearing, silenceFailure } from '../program/hearing.ts';
import { type CallJudge, createCallJudge } from '../program/judge-calls.ts';
import { RpcError, type Rpc } from '@attractor/rpc';
import { openRpcLines } from '../program/rpc-lines.ts';
import { DEAD_SESSION, type ProgramCall } from '../program/run-program.ts';
import { meaningOf } from '../failure-words.ts';
import { createRunTools, SERVER_NAME } from '../run-tools/run-tools.ts';
import { type ServedTools, serveRunTools } from '../run-tools/serve-run-tools.ts';
import { changesOf, shellTextOf, translateCodex } from '../translate/codex.ts';

type Params = Readonly<Record<string, unknown>>;

export type CodexDialogue = { readonly dialogue: Dialogue; readonly served: ServedTools };

/**
 * Codex over its pipes, as its editor extensions talk to it (`codex app-server`): commands and changes of files come as questions before
 * they happen, and our guard answers them or asks a person.
 */
export async function codexDialogue(name: string, call: ProgramCall): Promise<CodexDialogue> {
  const { options } = call;
  const tools = createRunTools(options, call);
  const served = await serveRunTools(tools, { sandboxed: options.sandbox !== undefined });
  const talk: Talk = { turn: null, thread: null, pipe: null, items: new Map(), begun: Promise.withResolvers() };
  const hearing = openHearing(call, () => talk.pipe?.hangUp());
  const judge = createCallJudge(options);
  const state = { model: options.config.model ?? '' };
  const { rpc, push, end } = openRpcLines({
    pipe: () => talk.pipe,
    hearing,
    onRequest: (method, params) => answerRequest({ method, params, talk, judge }),
    onNotification: (method, params) => {
      if (isRecord(params['item'])) heardOf(talk, params['item'], call);
      if (params['threadId'] === undefined || params['threadId'] === talk.thread)
        hearing.heard(translateCodex(state, method, params).told);
    },
  });
  const dialogue: Dialogue = {
    begin: (pipe) => {
      talk.pipe = pipe;
      void converse({ name, rpc, call, hearing, talk, served });
    },
    push,
    end,
    steer: (message) => void talk.begun.promise.then((turn) => rpc.call('turn/steer', steering(talk, turn, message))),
    cancel: () => void rpc.call('turn/interrupt', { threadId: talk.thread, turnId: talk.turn }),
    ending: () => endingOf(hearing, tools),
  };
  return { dialogue, served };
}

type Talk = {
  pipe: Pipe | null;
  thread: string | null;
  turn: string | null;
  /** What each item was when it was last heard of: a question names only its id. */
  readonly items: Map<string, Params>;
  /** The turn that people can speak into, once there is one. */
  readonly begun: PromiseWithResolvers<string>;
};

/** Codex says that a message of a person is part of the conversation as it says everything else: by an item. */
function heardOf(talk: Talk, item: Params, { taken }: ProgramCall): void {
  talk.items.set(String(item['id']), item);
  if (item['type'] === 'userMessage' && typeof item['clientId'] === 'string') taken(item['clientId']);
}

/** Refused where the turn is over by now: the message then waits for the next one. */
function steering({ thread }: Talk, turn: string, { key, text }: PersonMessage): object {
  return { threadId: thread, expectedTurnId: turn, clientUserMessageId: key, input: inputOf(text) };
}

function inputOf(text: string): ReadonlyArray<object> {
  return [{ type: 'text', text, text_elements: [] }];
}

type Conversing = {
  readonly name: string;
  readonly rpc: Rpc;
  readonly call: ProgramCall;
  readonly hearing: Hearing;
  readonly talk: Talk;
  readonly served: ServedTools;
};

async function converse({ name, rpc, call, hearing, talk, served }: Conversing): Promise<void> {
  const silence = setTimeout(() => hearing.fail(silenceFailure(name, call)), call.silenceMs);
  silence.unref();
  const clientInfo = { name: 'attractor', title: 'Attractor', version: '1' };
  const hello = await rpc.call('initialize', { clientInfo, capabilities: null });
  clearTimeout(silence);
  // A program that ended says why with its exit.
  if (!hello.ok) return;
  rpc.notify('initialized');
  const thread = call.session === null ? {} : { threadId: call.session, excludeTurns: true };
  const method = call.session === null ? 'thread/start' : 'thread/resume';
  const opened = await rpc.call(method, { ...thread, ...threadOptions(call, served) });
  if (!opened.ok) return refuse(hearing, call, opened.error.message);
  const { id } = isRecord(opened.result['thread']) ? opened.result['thread'] : {};
  talk.thread = String(id);
  hearing.heard({ messages: [], session: talk.thread });
  const begun = await rpc.call('turn/start', { threadId: talk.thread, input: inputOf(call.prompt) });
  if (!begun.ok) return refuse(hearing, call, begun.error.message);
  const { turn } = begun.result;
  talk.turn = isRecord(turn) ? String(turn['id']) : null;
  if (talk.turn !== null) talk.begun.resolve(talk.turn);
}

function refuse(hearing: Hearing, { session }: ProgramCall, message: string): void {
  const isDead = session !== null && /not found|no rollout|unknown|does not exist/i.test(message);
  const code = isDead ? DEAD_SESSION : 'failed';
  hearing.fail({ code, retryable: false, ...(isDead ? {} : meaningOf(message)), message: `Codex: ${message}` });
}

/** In our sandbox it needs none of its own, which would not start inside another; without ours it uses its own. */
function threadOptions({ options }: ProgramCall, served: ServedTools): object {
  const { command, args } = served;
  const inside = options.readOnly ? 'read-only' : 'workspace-write';
  return {
    cwd: options.projectPath,
    approvalPolicy: 'untrusted',
    sandbox: options.sandbox === undefined ? inside : 'danger-full-access',
    config: { mcp_servers: { [SERVER_NAME]: { command, args } } },
    ...(options.config.model === undefined ? {} : { model: options.config.model }),
  };
}

type Asked = { readonly method: string; readonly params: Params; readonly talk: Talk; readonly judge: CallJudge };

async function answerRequest({ method, params, talk, judge }: Asked): Promise<unknown> {
  const toolCallId = String(params['itemId']);
  const item = talk.items.get(toolCallId) ?? {};
  const reason = typeof params['reason'] === 'string' ? { reason: params['reason'] } : {};
  if (method === 'item/commandExecution/requestApproval') {
    const args = { command: shellTextOf(params), ...folderOf(params) };
    return decision(await judge.decide({ toolCallId, toolName: 'Bash', args, ...reason }));
  }
  if (method === 'item/fileChange/requestApproval') {
    const changes = changesOf(item);
    // Without its files a change can't be judged.
    if (changes.length === 0 || typeof params['grantRoot'] === 'string') return { decision: 'decline' };
    const [first] = changes;
    const call = { toolCallId, toolName: 'Edit', args: { file_path: first?.path ?? '' } };
    return decision(await judge.decide({ ...call, places: changes.map(({ path }) => path), ...reason }));
  }
  if (method === 'mcpServer/elicitation/request') {
    const isOurs = params['serverName'] === SERVER_NAME;
    return { action: isOurs ? 'accept' : 'decline', content: isOurs ? {} : null, _meta: null };
  }
  if (method === 'item/permissions/requestApproval') return { permissions: {}, scope: 'turn' };
  throw new RpcError(-32601, `${method} is not answered here`);
}

function folderOf({ cwd }: Params): object {
  return typeof cwd === 'string' ? { workdir: cwd } : {};
}

function decision(answer: { readonly allowed: boolean }): object {
  return { decision: answer.allowed ? 'accept' : 'decline' };
}
