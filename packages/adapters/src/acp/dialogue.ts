import { isRecord } from '@attractor/base';
import type { AgentFailure } from '../agent.ts';
import type { Dialogue, Pipe } from '../program/dialogue.ts';
import { meaningOf } from '../failure-words.ts';
import { endingOf, type Hearing, openHearing, silenceFailure } from '../program/hearing.ts';
import { createCallJudge } from '../program/judge-calls.ts';
import type { Rpc, RpcFailure } from '@attractor/rpc';
import { openRpcLines, PROGRAM_ENDED } from '../program/rpc-lines.ts';
import { DEAD_SESSION, type ProgramCall } from '../program/run-program.ts';
import { createRunTools, SERVER_NAME } from '../run-tools/run-tools.ts';
import { type ServedTools, serveRunTools } from '../run-tools/serve-run-tools.ts';
import { ACP_START, type AcpState, acpUsage, closeText, translateAcp } from '../translate/acp.ts';
import { createAcpClient } from './client.ts';
import type { KnownAcpAgent } from './known-agents.ts';

export type AcpManners = Pick<KnownAcpAgent, 'authMethod' | 'readOnlyMode' | 'askingMode'> & {
  readonly name: string;
  readonly mode?: string;
};

export type AcpDialogue = {
  readonly dialogue: Dialogue;
  readonly served: ServedTools;
  readonly close: () => Promise<void>;
};

/** Any agent of the Agent Client Protocol over its pipes; we are the editor that hosts it. */
export async function acpDialogue(manners: AcpManners, call: ProgramCall): Promise<AcpDialogue> {
  const { options } = call;
  const tools = createRunTools(options, call);
  const served = await serveRunTools(tools, { sandboxed: options.sandbox !== undefined });
  const talk: Talk = { pipe: null, session: null, state: ACP_START, isReplaying: false };
  const hearing = openHearing(call, () => talk.pipe?.hangUp());
  const client = createAcpClient({
    options,
    judge: createCallJudge(options),
    toolOf: (toolCallId) => talk.state.tools[toolCallId],
  });
  const { rpc, push, end } = openRpcLines({
    pipe: () => talk.pipe,
    hearing,
    onRequest: async (method, params) => client.answer(method, params),
    onNotification: (method, params) => {
      // What an agent tells of an earlier time is known already.
      if (method !== 'session/update' || talk.isReplaying) return;
      const { state, told } = translateAcp(talk.state, params['update']);
      talk.state = state;
      hearing.heard(told);
    },
  });
  const dialogue: Dialogue = {
    begin: (pipe) => {
      talk.pipe = pipe;
      void converse({ manners, rpc, call, hearing, talk, served });
    },
    push,
    end: () => {
      end();
      hearing.heard(closeText(talk.state).told);
    },
    cancel: () => {
      if (talk.session !== null) rpc.notify('session/cancel', { sessionId: talk.session });
    },
    ending: () => endingOf(hearing, tools),
  };
  const close = async (): Promise<void> => {
    await client.close();
    await served.close();
  };
  return { dialogue, served, close };
}

type Talk = { pipe: Pipe | null; session: string | null; state: AcpState; isReplaying: boolean };

type Conversing = {
  readonly manners: AcpManners;
  readonly rpc: Rpc;
  readonly call: ProgramCall;
  readonly hearing: Hearing;
  readonly talk: Talk;
  readonly served: ServedTools;
};

const HELLO = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  clientInfo: { name: 'attractor', title: 'Attractor', version: '1' },
};

async function converse(on: Conversing): Promise<void> {
  const { manners, rpc, call, hearing, talk } = on;
  const silence = setTimeout(() => hearing.fail(silenceFailure(manners.name, call)), call.silenceMs);
  silence.unref();
  const hello = await rpc.call('initialize', HELLO);
  clearTimeout(silence);
  // A program that ended says why with its exit.
  if (!hello.ok) return fail(on, hello.error);
  const version = hello.result['protocolVersion'];
  if (version !== 1) return hearing.fail(otherVersion(manners.name, version));
  if (manners.authMethod !== undefined && offers(hello.result['authMethods'], manners.authMethod)) {
    const known = await rpc.call('authenticate', { methodId: manners.authMethod });
    if (!known.ok) return fail(on, known.error);
  }
  const opened = await openSession(on, hello.result['agentCapabilities']);
  if (!opened) return;
  const prompt = [{ type: 'text', text: call.prompt }];
  const answer = await rpc.call('session/prompt', { sessionId: talk.session, prompt });
  const rest = closeText(talk.state);
  talk.state = rest.state;
  hearing.heard(rest.told);
  if (!answer.ok) return fail(on, answer.error);
  hearing.heard({
    messages: usageOf(on, answer.result),
    over: { failure: stopFailure(manners.name, answer.result['stopReason']) },
  });
}

async function openSession(on: Conversing, capabilities: unknown): Promise<boolean> {
  const { rpc, call, hearing, talk, served } = on;
  const place = { cwd: call.options.projectPath, mcpServers: [serverOf(served)] };
  const way = call.session === null ? 'session/new' : wayBack(capabilities);
  if (way === null) {
    hearing.fail({
      code: DEAD_SESSION,
      message: `${on.manners.name} can't continue a conversation.`,
      retryable: false,
    });
    return false;
  }
  talk.isReplaying = way === 'session/load';
  const given = call.session === null ? place : { ...place, sessionId: call.session };
  const opened = await rpc.call(way, given);
  talk.isReplaying = false;
  if (!opened.ok) {
    if (call.session === null) fail(on, opened.error);
    else hearing.fail({ ...failureOf(on.manners.name, opened.error), code: DEAD_SESSION });
    return false;
  }
  talk.session = call.session ?? String(opened.result['sessionId']);
  hearing.heard({ messages: [], session: talk.session });
  await chooseMode(on, opened.result['modes']);
  return true;
}

function wayBack(capabilities: unknown): 'session/load' | 'session/resume' | null {
  if (!isRecord(capabilities)) return null;
  const session = isRecord(capabilities['sessionCapabilities']) ? capabilities['sessionCapabilities'] : {};
  if (isRecord(session['resume'])) return 'session/resume';
  return capabilities['loadSession'] === true ? 'session/load' : null;
}

/** The mode that was configured, or the one in which the agent asks; in a run that only reads, the one that changes nothing. */
async function chooseMode({ manners, rpc, call, talk, hearing }: Conversing, modes: unknown): Promise<void> {
  if (!isRecord(modes)) return;
  const wanted = call.options.readOnly ? manners.readOnlyMode : (manners.mode ?? manners.askingMode);
  if (wanted === undefined || wanted === modes['currentModeId']) return;
  if (!offers(modes['availableModes'], wanted)) {
    const text = `${manners.name} has no mode "${wanted}"; it works in ${String(modes['currentModeId'])}.`;
    return hearing.heard({ messages: [{ kind: 'notice', level: 'warning', text }] });
  }
  await rpc.call('session/set_mode', { sessionId: talk.session, modeId: wanted });
}

function offers(list: unknown, id: string): boolean {
  return Array.isArray(list) && list.some((one) => isRecord(one) && one['id'] === id);
}

function serverOf({ command, args }: ServedTools): object {
  return { name: SERVER_NAME, command, args, env: [] };
}

type Usages = Parameters<Hearing['heard']>[0]['messages'];

function usageOf({ call, talk }: Conversing, answer: Readonly<Record<string, unknown>>): Usages {
  const counted = acpUsage(answer);
  const { costUsd } = talk.state;
  if (counted === null && costUsd === null) return [];
  const { inputTokens, outputTokens } = counted ?? { inputTokens: 0, outputTokens: 0 };
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return [{ kind: 'usage', model: call.options.config.model ?? '', usage, costUsd }];
}

function fail({ manners, hearing }: Conversing, error: RpcFailure): void {
  // Nothing is known but that the program is gone: its exit says more.
  if (error.message === PROGRAM_ENDED) return;
  hearing.fail(failureOf(manners.name, error));
}

/** The protocol's own code for "log in first". */
const LOG_IN = -32000;

function failureOf(name: string, { code, message }: RpcFailure): AgentFailure {
  const known = code === LOG_IN && /auth|log ?in/i.test(message) ? { code: 'authentication' } : {};
  return { code: 'failed', retryable: false, ...meaningOf(message), ...known, message: `${name}: ${message}` };
}

function otherVersion(name: string, version: unknown): AgentFailure {
  const message = `${name} speaks version ${String(version)} of the Agent Client Protocol, and only version 1 is known here. Install a version of it that speaks that.`;
  return { code: 'version', message, retryable: false };
}

const STOPS: Readonly<Record<string, Pick<AgentFailure, 'code' | 'message'>>> = {
  max_tokens: { code: 'context_window', message: "reached the model's limit of tokens before it was done" },
  max_turn_requests: { code: 'turn_limit', message: 'reached its limit of turns before it was done' },
  refusal: { code: 'refused', message: 'refused to go on' },
  cancelled: { code: 'stopped', message: 'gave up its turn' },
};

function stopFailure(name: string, reason: unknown): AgentFailure | null {
  const found = STOPS[String(reason)];
  return found === undefined ? null : { code: found.code, message: `${name} ${found.message}.`, retryable: false };
}
