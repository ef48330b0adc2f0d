import { defined, done, failed } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  advance,
  EMPTY_VIEW,
  isToolCall,
  messagesOf,
  replay,
  type SessionView,
  tidyCalls,
  untilAborted,
} from '@attractor/agent';
import {
  addUsage,
  type Client,
  type ContentPart,
  type LlmError,
  NO_USAGE,
  type Response as Reply,
  type StreamEvent,
} from '@attractor/llm';
import { OUTPUT_LIMITS, publicName, wireName } from '../file-tools/definitions.ts';
import type {
  ProgressEvent,
  Provider,
  ProviderFactory,
  ProviderHost,
  ProviderResult,
  Response,
  Session,
  ToolResult,
} from '../provider.ts';
import { emptyReply, providerError } from './llm-errors.ts';

export type LlmProviderOptions = {
  /** Which of the client's providers: `anthropic`, `openai`, `ollama`, … */
  readonly id: string;
  readonly client: Client;
  readonly model: string;
};

/** How often a broken or empty reply is discarded and requested again. */
const MAX_ASKED_AGAIN = 2;

/** Every model that `@attractor/llm` reaches. The executor runs the tools; a session's history is its journal. */
export function createLlmProvider(options: LlmProviderOptions): ProviderFactory {
  return { id: options.id, open: (host) => openProvider(options, host) };
}

function openProvider(options: LlmProviderOptions, host: ProviderHost): Provider {
  const views = new Map<string, SessionView>();
  const ask = async (session: Session, view: SessionView): Promise<ProviderResult<Response>> => {
    const answer = await askModel({ options, host, view });
    if (!answer.ok) return answer;
    const content = tidyCalls(answer.value.message.content, view);
    const { usage, model, id: responseId } = answer.value;
    const said = { kind: 'ASSISTANT_MESSAGE' as const, content, usage, model, responseId };
    views.set(session.id, advance(view, said, OUTPUT_LIMITS));
    return done(responseOf(answer.value, content));
  };
  const viewOf = (session: Session): SessionView => views.get(session.id) ?? begun(session);
  return {
    createSession: async (agentSpec) => done({ id: newId('ses'), provider: options.id, agentSpec }),
    sendMessage: (session, content) =>
      ask(session, advance(viewOf(session), { kind: 'USER_INPUT', content }, OUTPUT_LIMITS)),
    submitToolResults: (session, results) => ask(session, withResults(viewOf(session), results)),
    resumeSession: async (id) => {
      const records = host.history(id);
      if (records === null) return done(null);
      const session: Session = { id, provider: options.id, agentSpec: host.agentSpec };
      const past = answered(replay(records, OUTPUT_LIMITS).view);
      views.set(id, past.systemPrompt === null ? { ...past, systemPrompt: session.agentSpec.systemPrompt } : past);
      return done(session);
    },
    close: () => options.client.close(),
  };
}

function begun({ id, agentSpec }: Session): SessionView {
  return { ...EMPTY_VIEW, sessionId: id, systemPrompt: agentSpec.systemPrompt };
}

function withResults(view: SessionView, results: ReadonlyArray<ToolResult>): SessionView {
  return results.reduce((current, { toolCallId, output, isError }) => {
    const toolName = current.round?.calls.find((call) => call.toolCallId === toolCallId)?.toolName ?? '';
    const name = publicName(toolName) ?? toolName;
    return advance(current, { kind: 'TOOL_CALL_END', toolCallId, toolName: name, output, isError }, OUTPUT_LIMITS);
  }, view);
}

/** The history up to the last reply. Whatever came after it was never answered, and is sent again. */
function answered(view: SessionView): SessionView {
  const end = view.turns.findLastIndex((turn) => turn.kind === 'assistant') + 1;
  const last = view.turns[end - 1];
  const calls = last?.kind === 'assistant' ? last.content.filter(isToolCall) : [];
  const round = calls.length === 0 ? null : { calls, started: [], results: [] };
  return { ...view, turns: view.turns.slice(0, end), round };
}

type Asking = { readonly options: LlmProviderOptions; readonly host: ProviderHost; readonly view: SessionView };

async function askModel(asking: Asking): Promise<ProviderResult<Reply>> {
  // Of answers that were of no use: they were paid for as well.
  let before = NO_USAGE;
  for (let again = 0; ; again++) {
    const heard = await listen(asking);
    const usage = addUsage(before, heard.reply?.usage ?? NO_USAGE);
    if (heard.reply !== null && !isEmpty(heard.reply)) return done({ ...heard.reply, usage });
    before = usage;
    if (asking.host.signal.aborted || again === MAX_ASKED_AGAIN || !mayAskAgain(heard))
      return failed(heard.error === null ? emptyReply(heard.reply) : providerError(heard.error));
    asking.host.onProgress({ kind: 'ASSISTANT_TEXT_DISCARDED', reason: heard.error?.message ?? 'an empty answer' });
  }
}

/** The result of one stream. `begun`: some output was shown, so the client could no longer retry by itself. */
type Heard = { readonly reply: Reply | null; readonly error: LlmError | null; readonly begun: boolean };

async function listen({ options, host, view }: Asking): Promise<Heard> {
  const tools = host.tools.map(({ name, description, parameters }) => ({
    name: wireName(name),
    description,
    parameters,
  }));
  const stream = options.client.stream({
    model: options.model,
    provider: options.id,
    messages: messagesOf(view),
    ...(tools.length === 0 ? {} : { tools }),
    abortSignal: host.signal,
  });
  let begun = false;
  for await (const event of untilAborted(stream, host.signal)) {
    if (event.kind === 'FINISH') {
      host.onProgress({ kind: 'ASSISTANT_TEXT_END' });
      return { reply: event.response, error: null, begun };
    }
    if (event.kind === 'ERROR') return { reply: null, error: event.error, begun };
    begun ||= event.kind !== 'STREAM_START' && event.kind !== 'PROVIDER_EVENT';
    const shown = progressOf(event);
    if (shown !== null) host.onProgress(shown);
  }
  return { reply: null, error: null, begun };
}

function progressOf(event: StreamEvent): ProgressEvent | null {
  if (event.kind === 'STREAM_START') return { kind: 'ASSISTANT_TEXT_START' };
  if (event.kind === 'TEXT_DELTA') return { kind: 'ASSISTANT_TEXT_DELTA', text: event.text };
  return event.kind === 'THINKING_DELTA' ? { kind: 'THINKING_DELTA', text: event.text } : null;
}

function isEmpty({ message, finishReason }: Reply): boolean {
  if (finishReason.reason === 'content_filter') return false;
  return !message.content.some(
    (part) => part.kind === 'TOOL_CALL' || (part.kind === 'TEXT' && part.text.trim() !== ''),
  );
}

/** The client retries whatever fails before the first output. A reply that breaks off later, or is empty, is requested again here. */
function mayAskAgain({ error, begun }: Heard): boolean {
  if (error === null) return true;
  return begun && (error.retryable || error.code === 'stream' || error.code === 'network');
}

function responseOf({ usage, model, id }: Reply, content: ReadonlyArray<ContentPart>): Response {
  const calls = content.filter(isToolCall);
  return {
    text: content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join(''),
    toolCalls: calls.map(({ toolCallId, toolName, args, argsError }) => ({
      id: toolCallId,
      name: publicName(toolName) ?? toolName,
      input: args,
      ...defined({ inputError: argsError }),
    })),
    isComplete: calls.length === 0,
    content,
    usage,
    model,
    responseId: id,
  };
}
