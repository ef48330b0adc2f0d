import { randomUUID } from 'node:crypto';
import { defined, done, failed, type Result } from '@attractor/base';
import { createRedactor } from '@attractor/redact';
import { JournalError } from '@attractor/journal';
import { openCalls } from '@attractor/agent';
import { costOf, NO_USAGE, type ContentPart } from '@attractor/llm';
import { checkResponse } from './check-response.ts';
import type { Conversation } from './conversation.ts';
import type { ExecuteOptions, Executed, ExecutorFailure, Redacting } from './execute-options.ts';
import { openRun, type Run } from './open-run.ts';
import type { ProviderResult, Response, ToolResult } from './provider.ts';
import { runCall } from './run-call.ts';
import { firstMessage, laterMessage } from './spec/messages.ts';

const DEFAULT_MAX_TURNS = 200;

/** Runs an agent until it has its last word. Knows of providers only what the port says; no secret is in what it hands back. */
export async function execute(options: ExecuteOptions): Promise<Result<Executed, ExecutorFailure>> {
  const { redactor = createRedactor() } = options;
  const outcome = await run({ ...options, redactor });
  return outcome.ok ? outcome : failed(redactor.value(outcome.error));
}

async function run(options: Redacting): Promise<Result<Executed, ExecutorFailure>> {
  const opened = await openRun(options);
  if (!opened.ok) return opened;
  const { conversation, provider, session } = opened.value;
  try {
    const outcome = await finishAndSay(opened.value, options);
    end(opened.value, outcome);
    return outcome.ok ? outcome : failed({ ...outcome.error, sessionId: session.id });
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return failed({ code: 'journal', message: error.message, retryable: false, sessionId: session.id });
  } finally {
    conversation.close();
    await provider.close?.();
  }
}

/** Work that a person or a limit stopped goes on when the session is resumed. */
function end({ conversation, session }: Run, outcome: Result<Executed, ExecutorFailure>): void {
  const isStopped = !outcome.ok && (outcome.error.code === 'interrupted' || outcome.error.code === 'max_turns');
  if (!outcome.ok && !isStopped) {
    const { message, code } = outcome.error;
    conversation.record({ kind: 'ERROR', error: Object.assign(new Error(message), { code }) });
  }
  const reason = outcome.ok || isStopped ? 'closed' : 'error';
  conversation.record({ kind: 'SESSION_END', sessionId: session.id, reason });
}

/** What was left unfinished first, then what is new. */
async function finishAndSay(
  run: Run,
  { spec, parameters = {} }: ExecuteOptions,
): Promise<Result<Executed, ExecutorFailure>> {
  const open = run.isNew ? null : await resumeStep(run);
  const finished = open === null ? null : await work(run, open);
  const isSaid = Object.keys(parameters).length > 0;
  if (finished !== null && (!finished.ok || !isSaid)) return finished;
  const message = run.isNew ? firstMessage(spec, parameters) : laterMessage(parameters);
  return work(run, () => say(run, message));
}

type Step = () => Promise<ProviderResult<Response>>;

function say(run: Run, message: string): Promise<ProviderResult<Response>> {
  const { content } = run.conversation.record({ kind: 'USER_INPUT', content: message });
  return run.provider.sendMessage(run.session, content);
}

/** How an interrupted message goes on; null when there is none. Calls that had begun are answered already, as interrupted. */
async function resumeStep(run: Run): Promise<Step | null> {
  const { conversation, provider, session } = run;
  if (!conversation.view().inputOpen) return null;
  const asked = conversation.view().turns.findLast((turn) => turn.kind === 'user')?.content ?? 'Continue.';
  const { continueSession } = provider;
  if (continueSession !== undefined) {
    for (const { toolCallId, toolName } of openCalls(conversation.view()))
      conversation.record({ kind: 'TOOL_CALL_END', toolCallId, toolName, output: NOT_RUN, isError: true });
    return () => continueSession(session, asked);
  }
  await runOpenCalls(run, []);
  const last = conversation.view().turns.at(-1);
  if (last?.kind === 'tool_results') return () => provider.submitToolResults(session, last.results);
  if (last?.kind === 'user') return () => provider.sendMessage(session, asked);
  conversation.record({ kind: 'PROCESSING_END' });
  return null;
}

const NOT_RUN = 'not run: the process stopped before this began';

/** Asks, acts, until a response asks for nothing more. */
async function work(run: Run, first: Step): Promise<Result<Executed, ExecutorFailure>> {
  const { conversation, provider, session } = run;
  for (let turns = 1, step = first; ; turns++) {
    const answer = await ask(run, step);
    if (!answer.ok) return answer;
    if (run.signal.aborted) return interrupted();
    const response = answer.value;
    const text = recordReply(conversation, response);
    if (response.isComplete) {
      conversation.record({ kind: 'PROCESSING_END' });
      return done({ text, sessionId: session.id, turns, ...spent(run, response) });
    }
    const stopped = await act(run, response, turns);
    if (stopped !== null) return failed(stopped);
    step = () => provider.submitToolResults(session, lastResults(conversation));
  }
}

async function ask(run: Run, step: Step): Promise<Result<Response, ExecutorFailure>> {
  if (run.signal.aborted) return interrupted();
  const answer = checkResponse(await step().catch((error: unknown) => threw(error)));
  if (run.signal.aborted) return interrupted();
  if (!answer.ok && answer.error.detail !== undefined)
    run.conversation.record({ kind: 'WARNING', message: answer.error.detail });
  return answer;
}

/** Runs the calls of a response; says why the work ends there, if it does. */
async function act(run: Run, response: Response, turns: number): Promise<ExecutorFailure | null> {
  await runOpenCalls(run, response.toolCalls);
  if (run.signal.aborted) return interrupted().error;
  const limit = Math.min(run.maxTurns ?? DEFAULT_MAX_TURNS, run.session.agentSpec.maxTurns ?? Infinity);
  if (turns < limit) return null;
  run.conversation.record({ kind: 'TURN_LIMIT', reason: 'max_turns' });
  const message = `Stopped after ${limit} replies without a last word. Go on with the session's id, or raise the limit.`;
  return { code: 'max_turns', message, retryable: false };
}

/** In the order of the calls. `meant` has the arguments as the model gave them; those of the journal are without secrets. */
async function runOpenCalls(run: Run, meant: Response['toolCalls']): Promise<void> {
  for (const { toolCallId, toolName, args, argsError } of openCalls(run.conversation.view())) {
    if (run.signal.aborted) return;
    const given = meant.find(({ id }) => id === toolCallId);
    const stored = {
      id: toolCallId,
      name: toolName,
      input: args,
      ...defined({ inputError: argsError }),
    };
    await runCall(run.calls, given ?? stored);
  }
}

function lastResults(conversation: Conversation): ReadonlyArray<ToolResult> {
  const last = conversation.view().turns.at(-1);
  return last?.kind === 'tool_results' ? last.results : [];
}

/** The words of the reply as they were stored: without secrets. */
function recordReply(conversation: Conversation, response: Response): string {
  const content: ReadonlyArray<ContentPart> = response.content ?? [
    ...(response.text === '' ? [] : [{ kind: 'TEXT' as const, text: response.text }]),
    ...response.toolCalls.map(({ id, name, input, inputError }) => ({
      kind: 'TOOL_CALL' as const,
      toolCallId: id,
      toolName: name,
      args: input,
      ...defined({ argsError: inputError }),
    })),
  ];
  const { usage = NO_USAGE, model = 'unknown', responseId = randomUUID() } = response;
  const stored = conversation.record({ kind: 'ASSISTANT_MESSAGE', content, usage, responseId, model });
  conversation.record({ kind: 'USAGE', usage: conversation.view().usage });
  return stored.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}

function spent(run: Run, response: Response): Pick<Executed, 'usage' | 'costUsd'> {
  const { usage } = run.conversation.view();
  const costUsd = response.costUsd ?? costOf(response.model ?? 'unknown', usage);
  return { usage, costUsd };
}

function interrupted(): { readonly ok: false; readonly error: ExecutorFailure } {
  const message = "Interrupted. What was done is kept: go on with the session's id.";
  return failed({ code: 'interrupted', message, retryable: true });
}

/** A provider that throws breaks its promise; whoever waits still gets a value. */
function threw(error: unknown): ProviderResult<Response> {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = 'The provider broke while it answered. The details are in the journal of the session.';
  return failed({ code: 'InvalidResponseError', message, retryable: false, detail });
}
