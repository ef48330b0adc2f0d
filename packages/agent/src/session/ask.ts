import { defined } from '@attractor/base';
import type { LlmError, Request, Response, StreamEvent } from '@attractor/llm';
import { compactAfterOverflow, compactIfFull } from '../compaction/compact.ts';
import type { SessionEvent } from '../types/index.ts';
import { contextWarning } from '../conversation/context-tracker.ts';
import { messagesOf } from './messages.ts';
import { createOutage } from './outage.ts';
import { stalledRounds } from './progress.ts';
import type { Run } from './run.ts';
import { tidyCalls } from './tidy-calls.ts';
import { untilAborted } from '../conversation/until-aborted.ts';

/** How often a broken or empty reply is discarded and requested again. */
const MAX_ASKED_AGAIN = 2;

/** Asks the model once and records its reply. True if there is a reply to act on. */
export async function* ask(run: Run): AsyncGenerator<SessionEvent, boolean> {
  const outage = createOutage(run.settings().config.networkPatienceMs);
  if (isInCircle(run)) {
    const error = new Error(IN_CIRCLE);
    yield { kind: 'ERROR', error };
    run.fail(error);
    return false;
  }
  let compacted = yield* compactIfFull(run);
  if (run.ending() !== null) return false;
  for (let again = 0; ;) {
    const heard = yield* listen(run);
    if (run.ending() !== null) return false;
    const problem = problemOf(heard);
    if (mayPass(run, heard)) {
      if (yield* outage.wait(run, { message: problem ?? '', status: heard.error?.status })) continue;
      if (run.ending() !== null) return false;
    } else yield* outage.over();
    if (problem === null && heard.response !== null) {
      yield* accept(run, heard.response);
      return true;
    }
    if (heard.response !== null) yield* countUnused(run, heard.response);
    if (heard.error?.code === 'context_length' && !compacted) {
      compacted = true;
      if (yield* compactAfterOverflow(run)) continue;
      if (run.ending() !== null) return false;
    }
    if (again < MAX_ASKED_AGAIN && mayAskAgain(heard)) {
      again++;
      yield { kind: 'ASSISTANT_TEXT_DISCARDED', reason: problem ?? '' };
      continue;
    }
    yield* giveUp(run, heard, problem ?? '');
    return false;
  }
}

/** How many compactions may follow each other while nothing new is read and nothing changes. */
const MAX_IDLE_COMPACTIONS = 3;
const IN_CIRCLE = `The work goes in a circle: the conversation was summarised ${MAX_IDLE_COMPACTIONS} times, and meanwhile nothing new was read and nothing changed. Say what is missing, give a smaller task, or choose a model with a larger window.`;

function isInCircle(run: Run): boolean {
  const { turns, turnsBefore, compaction } = run.view();
  const since = compaction?.spans.at(-MAX_IDLE_COMPACTIONS)?.to;
  if (since === undefined) return false;
  const from = since - turnsBefore;
  const rounds = turns.filter(({ kind }, index) => index >= from && kind === 'tool_results').length;
  return rounds > 0 && stalledRounds(turns, from, run.settings().registry) >= rounds;
}

/**
 * Whether waiting may help: a service that is overloaded, or a connection that is lost. A session that never got an answer has a wrong
 * address rather than a broken connection, so it fails at once.
 */
function mayPass(run: Run, { error, begun }: StreamResult): boolean {
  if (error === null || begun) return false;
  if (error.code === 'overloaded') return error.retryable;
  return error.code === 'network' && run.view().modelTurns > 0;
}

/** The result of one stream. `begun`: some output was already shown, so the client could not retry on its own. */
type StreamResult = {
  readonly response: Response | null;
  readonly error: LlmError | null;
  readonly begun: boolean;
  /** Warnings that came with the error. */
  readonly warnings?: Response['warnings'];
};

async function* listen(run: Run): AsyncGenerator<SessionEvent, StreamResult> {
  let begun = false;
  for await (const event of untilAborted(run.client.stream(requestOf(run)), run.signal)) {
    if (event.kind === 'FINISH') return { response: event.response, error: null, begun };
    if (event.kind === 'ERROR')
      return { response: null, error: event.error, begun, ...defined({ warnings: event.partial?.warnings }) };
    begun ||= event.kind !== 'STREAM_START' && event.kind !== 'PROVIDER_EVENT';
    const shown = SHOWN[event.kind]?.(event);
    if (shown !== undefined) yield shown;
  }
  return { response: null, error: null, begun };
}

const SHOWN: Readonly<Partial<Record<StreamEvent['kind'], (event: StreamEvent) => SessionEvent | undefined>>> = {
  STREAM_START: () => ({ kind: 'ASSISTANT_TEXT_START' }),
  TEXT_DELTA: (event) => (event.kind === 'TEXT_DELTA' ? { kind: 'ASSISTANT_TEXT_DELTA', text: event.text } : undefined),
  THINKING_DELTA: (event) =>
    event.kind === 'THINKING_DELTA' ? { kind: 'THINKING_DELTA', text: event.text } : undefined,
};

function requestOf(run: Run): Request {
  const { config, registry } = run.settings();
  const tools = registry.definitions();
  return {
    model: config.model,
    provider: config.provider,
    messages: messagesOf(run.view()),
    ...(tools.length === 0 ? {} : { tools }),
    ...defined({ reasoningEffort: config.reasoningEffort }),
    abortSignal: run.signal,
  };
}

function problemOf({ response, error }: StreamResult): string | null {
  if (error !== null) return error.message;
  if (response === null) return 'the stream ended before the reply was complete';
  if (!isEmpty(response)) return null;
  return response.finishReason.reason === 'length' ? EMPTY_BY_LIMIT : 'the model gave an empty answer';
}

const EMPTY_BY_LIMIT =
  'the model reached its output limit before it said anything (less effort, or a higher limit, leaves it room)';

/** An empty answer is final if a content filter ended it, or if the client says itself that there is no text. */
function isEmpty({ message, finishReason, warnings }: Response): boolean {
  if (finishReason.reason === 'content_filter' || warnings.some(({ code }) => code === 'no_words')) return false;
  return !message.content.some(
    (part) => part.kind === 'TOOL_CALL' || (part.kind === 'TEXT' && part.text.trim() !== ''),
  );
}

/** The client retries failures before the first output; a reply that broke off later, or is empty, is requested again here. */
function mayAskAgain({ error, begun }: StreamResult): boolean {
  if (error === null) return true;
  return begun && (error.retryable || error.code === 'stream' || error.code === 'network');
}

async function* accept(run: Run, response: Response): AsyncGenerator<SessionEvent, void> {
  const { reason } = response.finishReason;
  yield { kind: 'ASSISTANT_TEXT_END' };
  yield {
    kind: 'ASSISTANT_MESSAGE',
    content: tidyCalls(response.message.content, run.view()),
    usage: response.usage,
    responseId: response.id,
    model: response.model,
    ...(isCutShort(reason) ? { cutShort: reason } : {}),
  };
  yield { kind: 'USAGE', usage: run.view().usage };
  if (isCutShort(reason))
    yield {
      kind: 'WARNING',
      message: CUT_SHORT[reason],
      ...(reason === 'content_filter' ? { about: 'no_answer' } : {}),
    };
  const warning = contextWarning(run.view(), run.settings().config.contextWindowSize);
  if (warning !== null) yield warning;
}

function* countUnused(run: Run, { usage, id: responseId, model }: Response): Generator<SessionEvent, void> {
  yield { kind: 'ANSWER_UNUSED', usage, responseId, model };
  yield { kind: 'USAGE', usage: run.view().usage };
}

const CUT_SHORT = {
  length: 'The answer was cut off at the output limit.',
  content_filter: "The provider's content filter ended the answer.",
} as const;

function isCutShort(reason: Response['finishReason']['reason']): reason is keyof typeof CUT_SHORT {
  return Object.hasOwn(CUT_SHORT, reason);
}

async function* giveUp(run: Run, heard: StreamResult, problem: string): AsyncGenerator<SessionEvent, void> {
  if (heard.error === null && heard.response !== null) {
    const message = `Nothing to act on: ${problem}, ${MAX_ASKED_AGAIN + 1} times.`;
    yield { kind: 'WARNING', message, about: 'no_answer' };
    return;
  }
  if (heard.error?.code === 'turn_limit') {
    // The client's own limit: the input stays open, and a resumed session continues it.
    yield { kind: 'TURN_LIMIT', reason: 'max_turns' };
    run.close();
    return;
  }
  const error = heard.error ?? new Error(`The model could not be reached: ${problem}.`);
  for (const { message } of heard.warnings ?? []) yield { kind: 'WARNING', message };
  if (heard.error?.code === 'context_length') yield { kind: 'CONTEXT_WARNING', usagePercent: 100 };
  yield { kind: 'ERROR', error };
  run.fail(error);
}
