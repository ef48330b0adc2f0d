import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defined, errorOf, messageOf } from '@attractor/base';
import {
  createBackgroundShells,
  createLocalExecutionEnvironment,
  createSession,
  resumeSession,
  type Session,
} from '@attractor/agent';
import { eventOf, type FileJournal, JournalError, openJournal, type SessionEvent } from '@attractor/journal';
import type { Agent, AgentConfig, AgentRunResult } from './agent.ts';
import { bringAlong } from './native/brought-along.ts';
import { type Conversation, readConversation } from './native/conversation.ts';
import { inputNumber } from './native/inputs.ts';
import type { NativeAgentOptions } from './native/native-options.ts';
import { permissionsOf } from './native/permissions.ts';
import { type Equipped, type Input, type Place, profileOf, sessionOptions } from './native/session-options.ts';
import { deltaOf, messagesOf } from './native/translate.ts';

const DEFAULTS: AgentConfig = { maxTurns: 50, timeout: 600_000, autoCommit: true, branchPrefix: 'agent/' };

/** Our own loop as an agent. Its conversation is a journal in the run's folder: whatever dies, the next call goes on from it. */
export function createNativeAgent(native: NativeAgentOptions): Agent {
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
      ...DEFAULTS,
      provider: native.defaultProvider,
      model: native.defaultModel ?? profileOf(native, { provider: native.defaultProvider }).defaultModel,
    }),
    run: (options) => converse(native, { ...options, inputKey: 'run' }),
    say: (options) => converse(native, options),
  };
}

async function converse(native: NativeAgentOptions, input: Input): Promise<AgentRunResult> {
  const permissions = permissionsOf(native, input);
  if (!permissions.ok) return broken(permissions.error);
  mkdirSync(input.statePath, { recursive: true, mode: 0o700 });
  let journal: FileJournal;
  try {
    journal = openJournal(join(input.statePath, 'session.jsonl'));
  } catch (error) {
    return broken(error);
  }
  const environment = createLocalExecutionEnvironment(input.projectPath, 'inherit_all', {
    env: input.env,
    sandbox: input.sandbox,
    outputFolder: join(input.statePath, 'outputs'),
  });
  const background = createBackgroundShells({ folder: join(input.statePath, 'shells') });
  try {
    return await goOn(native, input, { journal, environment, background, permissions: permissions.value });
  } catch (error) {
    return broken(error);
  } finally {
    journal.close();
    await background.end();
    await environment.cleanup();
  }
}

/** Tells what is known, gives the input if it was not given yet, finishes what is unfinished, and reads the result off the journal. */
async function goOn(native: NativeAgentOptions, input: Input, place: Place): Promise<AgentRunResult> {
  const past = place.journal.read();
  for (const record of past) tell(input, record.seq, eventOf(record));
  const before = readConversation(past, input);
  const number = inputNumber(input.statePath, input.inputKey);
  if (before.inputs > number || (before.inputs === number && before.finished)) return resultOf(before, null);
  // An earlier process may have died in the middle of a change: what it left half done is taken back.
  if (past.length > 0) await place.environment.initialize();
  const brought = await bringAlong(native.settings, { ...input, ...place });
  if (!brought.ok) return broken(brought.error);
  try {
    return await talk(native, { ...input, number, before }, { ...place, brought: brought.value });
  } finally {
    await brought.value.close();
  }
}

type Turn = Input & { readonly number: number; readonly before: Conversation };

async function talk(native: NativeAgentOptions, input: Turn, place: Equipped): Promise<AgentRunResult> {
  const { before, number } = input;
  place.brought.problems.forEach((text, index) =>
    input.onMessage({ key: `brought:${index}`, kind: 'notice', level: 'warning', text }),
  );
  const options = await sessionOptions(native, input, place);
  const isNew = before.inputs === 0 && place.journal.read().length === 0;
  const session = isNew ? createSession(options) : resumeSession(options);
  // Events end with a throw only when the journal failed; the session's own error says so below.
  const told = tellLive(session, input).catch(() => undefined);
  await untilDone(session, input, () => (before.inputs < number ? session.submit(input.prompt) : session.resume()));
  await told;
  return resultOf(readConversation(place.journal.read(), input), session.error(), input.abortSignal);
}

/** A stop ends the conversation's work; a shutdown only lets go of it, as a crash would. */
async function untilDone(session: Session, input: Input, work: () => Promise<void>): Promise<void> {
  const letGo = (): boolean => input.abortSignal.reason === 'shutdown' || input.abortSignal.reason === 'lost_lease';
  const stop = (): void => void (letGo() ? session.close() : session.abort());
  input.abortSignal.addEventListener('abort', stop, { once: true });
  try {
    if (input.abortSignal.aborted) stop();
    else await work();
  } finally {
    input.abortSignal.removeEventListener('abort', stop);
    await session.close();
  }
}

async function tellLive(session: Session, input: Input): Promise<void> {
  for await (const event of session.events()) {
    const delta = deltaOf(event);
    if (delta === null) tell(input, event.seq, event);
    else input.onDelta(delta);
  }
}

function tell(input: Input, seq: number, event: SessionEvent | null): void {
  if (event !== null) for (const message of messagesOf(seq, event)) input.onMessage(message);
}

function resultOf(conversation: Conversation, failure: Error | null, signal?: AbortSignal): AgentRunResult {
  const { finalText, report, reportText, tokenUsage } = conversation;
  const told = {
    finalText,
    tokenUsage,
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
  { report, reachedLimit, finished }: Conversation,
  failure: Error | null,
  signal?: AbortSignal,
): NonNullable<AgentRunResult['error']> | null {
  if (signal?.aborted === true)
    return { code: 'stopped', message: `The run was stopped (${String(signal.reason)})`, retryable: true };
  if (failure !== null) return describe(failure);
  if (reachedLimit && report === null)
    return { code: 'turn_limit', message: 'The agent reached its limit of turns before it was done', retryable: false };
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
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
    error: { ...describe(failure), retryable },
  };
}
