import { done, failed, type Result } from '@attractor/base';
import { JournalError } from '@attractor/journal';
import { costOf } from '@attractor/llm';
import { createRedactor } from '@attractor/redact';
import type { ExecuteOptions, Executed, ExecutorFailure, Redacting } from './execute-options.ts';
import { openRun, type Run } from './open-run.ts';
import { firstMessage, laterMessage } from './spec/messages.ts';

/** Runs an agent until it has finished. It knows only the port of a provider, and redacts everything it returns. */
export async function execute(options: ExecuteOptions): Promise<Result<Executed, ExecutorFailure>> {
  const { redactor = createRedactor() } = options;
  const outcome = await run({ ...options, redactor });
  return outcome.ok ? outcome : failed(redactor.value(outcome.error));
}

async function run(options: Redacting): Promise<Result<Executed, ExecutorFailure>> {
  const opened = await openRun(options);
  if (!opened.ok) return opened;
  const { session, client } = opened.value;
  const { signal } = client.host;
  // A closed session leaves unfinished work open, so that it can be resumed.
  const stop = (): void => void session.close();
  signal.addEventListener('abort', stop, { once: true });
  const shown = show(opened.value, options);
  try {
    if (signal.aborted) return failed({ ...INTERRUPTED, sessionId: session.id });
    const outcome = await finishAndSay(opened.value, options);
    return outcome.ok ? outcome : failed({ ...outcome.error, sessionId: session.id });
  } finally {
    signal.removeEventListener('abort', stop);
    await session.close();
    await shown;
    await client.close();
  }
}

/** Reading events throws only if the journal failed; the outcome reports that. */
async function show({ session }: Run, { onEvent = () => undefined }: ExecuteOptions): Promise<void> {
  try {
    for await (const event of session.events()) onEvent(event);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

/** Finishes interrupted work first, then sends the new message. */
async function finishAndSay(run: Run, options: ExecuteOptions): Promise<Result<Executed, ExecutorFailure>> {
  const { session, client } = run;
  const { spec, parameters = {} } = options;
  const isNew = session.history().length === 0;
  if (!isNew) {
    client.begin('resumed');
    await session.resume();
    const isFinished = client.heard().turns > 0 && Object.keys(parameters).length === 0;
    if (session.state() === 'CLOSED' || isFinished) return outcomeOf(run, options);
  }
  client.begin('said');
  await session.submit(isNew ? firstMessage(spec, parameters) : laterMessage(parameters));
  return outcomeOf(run, options);
}

function outcomeOf({ session, client }: Run, { signal }: ExecuteOptions): Result<Executed, ExecutorFailure> {
  const { turns, last, failure, isLimited } = client.heard();
  if (session.state() !== 'CLOSED') {
    const words = session.history().findLast((turn) => turn.kind === 'assistant')?.content ?? [];
    const text = words.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
    const usage = session.usage();
    const costUsd = last?.costUsd ?? costOf(last?.model ?? 'unknown', usage);
    return done({ text, sessionId: session.id, turns, usage, costUsd });
  }
  if (signal?.aborted === true) return failed(INTERRUPTED);
  if (isLimited) return failed(limitReached(turns));
  if (failure !== null) return failed(failure);
  const error = session.error() ?? new Error('The session was closed by nobody.');
  if (!(error instanceof JournalError)) throw error;
  return failed({ code: 'journal', message: error.message, retryable: false });
}

const INTERRUPTED: ExecutorFailure = {
  code: 'interrupted',
  message: "Interrupted. The work so far is kept: continue with the session's id.",
  retryable: true,
};

function limitReached(turns: number): ExecutorFailure {
  const message = `Stopped after ${turns} replies without a final answer. Continue with the session's id, or raise the limit.`;
  return { code: 'max_turns', message, retryable: false };
}
