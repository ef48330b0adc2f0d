import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentSession, openAgentSession } from '@attractor/agent';
import { defined, errorOf, messageOf } from '@attractor/base';
import { eventOf, type FileJournal, JournalError, openJournal, type SessionEvent } from '@attractor/journal';
import type { Agent, AgentRunResult } from './agent.ts';
import { type Conversation, readConversation } from './native/conversation.ts';
import { inputNumber } from './native/inputs.ts';
import type { NativeAgentOptions } from './native/native-options.ts';
import { liveSession, type LiveSession, staleChanges } from './native/live-session.ts';
import { openPersonMessages } from './native/person-messages.ts';
import { type Input, modelOf, modeOf, sessionOptions } from './native/session-options.ts';
import { deltaOf, messagesOf } from './native/translate.ts';
import { watchCalls } from './native/watch-calls.ts';
import { RUN_DEFAULTS } from '@attractor/facts';

/** Our own loop as an agent. Its conversation is a journal in the run's folder: whatever dies, the next call continues from it. */
export function createNativeAgent(native: NativeAgentOptions): Agent {
  const live: LiveSessions = new Map();
  return {
    type: 'native',
    displayName: 'Attractor',
    isAvailable: async () => {
      try {
        await native.client.provider(native.defaultProvider);
        return { available: true };
      } catch (error) {
        return { available: false, reason: messageOf(error) };
      }
    },
    getDefaultConfig: () => ({
      ...RUN_DEFAULTS,
      provider: native.defaultProvider,
      model: native.defaultModel ?? modelOf(native, native.defaultProvider),
    }),
    run: (options) => giveInput({ ...native, live }, { ...options, inputKey: 'run' }),
    say: (options) => giveInput({ ...native, live }, options),
    steer: (runId, message) => live.get(runId)?.steer(message),
    adjust: (runId, changes) => live.get(runId)?.adjust(changes),
  };
}

/** By run: what works in this process. */
type LiveSessions = Map<string, LiveSession>;

type Native = NativeAgentOptions & { readonly live: LiveSessions };

async function giveInput(native: Native, input: Input): Promise<AgentRunResult> {
  const [refusal] = input.setup?.problems ?? [];
  if (refusal !== undefined) return broken(new Error(refusal.message));
  mkdirSync(input.statePath, { recursive: true, mode: 0o700 });
  try {
    const journal = openJournal(join(input.statePath, 'session.jsonl'));
    try {
      return await goOn(native, input, journal);
    } finally {
      journal.close();
    }
  } catch (error) {
    return broken(error);
  }
}

/**
 * Reports what is known, submits the input if it was not submitted yet, finishes what is unfinished, and reads the result from the journal.
 */
async function goOn(native: Native, input: Input, journal: FileJournal): Promise<AgentRunResult> {
  const past = journal.read();
  for (const record of past) tell(input, record.seq, eventOf(record));
  const messages = openPersonMessages(past, (key) => input.onTaken?.(key));
  const before = readConversation(past, input);
  const number = inputNumber(input.statePath, input.inputKey);
  if (before.inputs > number || (before.inputs === number && before.finished)) return resultOf(before, null);
  const place = { folder: input.statePath, journal, isNew: past.length === 0 };
  const calls = watchCalls();
  const asking = { isAtRest: (): boolean => opened.ok && opened.value.isAlone() && calls.areDone() };
  const approve: Input['approve'] = (request) => input.approve(request, asking);
  const opened = await openAgentSession(sessionOptions(native, { ...input, approve }, place));
  if (!opened.ok) return broken(Object.assign(new Error(opened.error.message), opened.error));
  const session = opened.value;
  const { notice } = modeOf(input, input.config.permissionMode);
  [...(input.setup?.unused ?? []), ...session.notes, ...(notice === null ? [] : [notice])].forEach((text, index) =>
    input.onMessage({ key: `brought:${index}`, kind: 'notice', level: 'warning', text }),
  );
  const heard = (event: SessionEvent): void => {
    calls.heard(event);
    messages.heard(event);
  };
  // Events end with a throw only if the journal failed; the session's own error says so below.
  const told = tellLive(session, input, heard).catch(() => undefined);
  const here = liveSession(input, { session, journal, messages });
  here.adjust(staleChanges(past, input));
  input.messages?.forEach(here.steer);
  native.live.set(input.runId, here);
  try {
    await untilDone(session, input, () =>
      before.inputs < number ? session.submit(textOf(input, messages), stepsOf(input)) : session.resume(),
    );
  } finally {
    native.live.delete(input.runId);
  }
  await told;
  return resultOf(readConversation(journal.read(), input), session.error(), input.abortSignal);
}

/** The list of steps begins with the run's own input. */
function stepsOf({ inputKey, todo }: Input): { readonly todo?: ReadonlyArray<string> } {
  return inputKey === 'run' ? defined({ todo }) : {};
}

/** A message that is queued already is read with this input; it is not said twice. */
function textOf({ inputKey, prompt }: Input, messages: ReturnType<typeof openPersonMessages>): string {
  return messages.isKnown(inputKey) ? 'Go on with what was said last.' : prompt;
}

/** A stop ends the conversation's work; a shutdown only releases it, as a crash would. */
async function untilDone(session: AgentSession, input: Input, work: () => Promise<unknown>): Promise<void> {
  const letGo = (): boolean => input.abortSignal.reason === 'shutdown' || input.abortSignal.reason === 'lost_lease';
  const stop = (): void => void (letGo() ? session.close() : session.interrupt());
  input.abortSignal.addEventListener('abort', stop, { once: true });
  try {
    if (input.abortSignal.aborted) stop();
    else await work();
  } finally {
    input.abortSignal.removeEventListener('abort', stop);
    await session.close();
  }
}

async function tellLive(session: AgentSession, input: Input, heard: (event: SessionEvent) => void): Promise<void> {
  for await (const event of session.events()) {
    heard(event);
    const delta = deltaOf(event);
    if (delta === null) tell(input, event.seq, event);
    else input.onDelta(delta);
  }
}

function tell(input: Input, seq: number, event: SessionEvent | null): void {
  if (event !== null) for (const message of messagesOf(seq, event)) input.onMessage(message);
}

function resultOf(conversation: Conversation, failure: Error | null, signal?: AbortSignal): AgentRunResult {
  const { finalText, report, reportText, refusedReport, tokenUsage } = conversation;
  const told = {
    finalText,
    tokenUsage,
    ...(refusedReport === null ? {} : { refusedReport }),
    ...(report === null
      ? {}
      : {
          outcome: report.outcome,
          payload: report.payload,
          ...(reportText === '' ? {} : { outcomeText: reportText }),
        }),
  };
  const error = problemOf(conversation, failure, signal);
  return error === null ? { ...told, exitCode: 0 } : { ...told, exitCode: 1, error };
}

function problemOf(
  { report, reachedLimit, refusal, finished }: Conversation,
  failure: Error | null,
  signal?: AbortSignal,
): NonNullable<AgentRunResult['error']> | null {
  if (signal?.aborted === true)
    return { code: 'stopped', message: `The run was stopped (${String(signal.reason)})`, retryable: true };
  if (failure !== null) return describe(failure);
  if (reachedLimit && report === null)
    return { code: 'turn_limit', message: 'The agent reached its limit of turns before it was done', retryable: false };
  if (refusal !== null && report === null) return { code: 'hook_stopped', message: refusal, retryable: false };
  return finished
    ? null
    : { code: 'unfinished', message: 'The conversation ended before its input was answered', retryable: true };
}

function describe(error: Error): NonNullable<AgentRunResult['error']> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  const wait = 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
  return {
    code,
    message: error.message,
    retryable: 'retryable' in error && error.retryable === true,
    ...defined({ retryAfterMs: wait }),
  };
}

function broken(error: unknown): AgentRunResult {
  const failure = errorOf(error);
  const retryable = failure instanceof JournalError;
  return {
    exitCode: 1,
    finalText: '',
    // Every answer told its usage when it came.
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: 0 },
    error: { ...describe(failure), retryable },
  };
}
