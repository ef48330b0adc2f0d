import { LlmError, type Client, type ContentPart, type Request, type Response, type StreamEvent } from '@attractor/llm';

/** One scripted answer of a model. `text` and `calls` end in FINISH; with `error` they are what came before the failure. */
export type Reply = {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: ReadonlyArray<ScriptedCall>;
  readonly error?: LlmError;
  readonly finish?: Response['finishReason']['reason'];
  readonly usage?: Response['usage'];
  /** The stream sends its text and then nothing more, until it is closed. */
  readonly hangs?: boolean;
};

export type ScriptedCall = {
  readonly id?: string;
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly argsError?: string;
};

export type ScriptedClient = Client & { readonly requests: ReadonlyArray<Request> };

/** Replies one by one, whatever is requested, or a function that makes one from each request, as a model does. */
export type Script = ReadonlyArray<Reply> | ((request: Request) => Reply);

/** A model that answers from the script and remembers its requests. Asking after the script's end is an error. */
export function createScriptedClient(script: Script): ScriptedClient {
  const requests: Request[] = [];
  const refuse = (): never => {
    throw new Error('The scripted client only streams.');
  };
  return {
    requests,
    stream: (request) => {
      const { abortSignal: _signal, ...plain } = request;
      requests.push(structuredClone(plain));
      const reply = typeof script === 'function' ? script(plain) : script[requests.length - 1];
      return reply === undefined
        ? eventsOf({ error: failure('configuration', 'the script is over') }, 0)
        : eventsOf(reply, requests.length);
    },
    complete: refuse,
    provider: refuse,
    close: async () => undefined,
  };
}

/** An error of a provider, for a reply that fails with it. */
export function failure(code: string, message: string, retryable = false): LlmError {
  return new LlmError({ code, message, retryable });
}

/** A tool call, for a reply that makes it. */
export const call = (name: string, args: Readonly<Record<string, unknown>> = {}, id?: string): ScriptedCall =>
  id === undefined ? { name, args } : { name, args, id };

async function* eventsOf(reply: Reply, turn: number): AsyncGenerator<StreamEvent> {
  yield { kind: 'STREAM_START', model: 'scripted' };
  const content: ContentPart[] = [];
  if (reply.thinking !== undefined) {
    yield { kind: 'THINKING_DELTA', id: 't', text: reply.thinking };
    content.push({ kind: 'THINKING', text: reply.thinking, signature: 'signed' });
  }
  if (reply.text !== undefined) {
    yield { kind: 'TEXT_START', id: '0' };
    for (const word of reply.text.split(/(?<= )/)) yield { kind: 'TEXT_DELTA', id: '0', text: word };
    content.push({ kind: 'TEXT', text: reply.text });
  }
  if (reply.hangs === true) await new Promise(() => undefined);
  for (const [index, { id = `call_${turn}_${index}`, name, args = {}, argsError }] of (reply.calls ?? []).entries()) {
    const part = {
      kind: 'TOOL_CALL' as const,
      toolCallId: id,
      toolName: name,
      args,
      ...(argsError === undefined ? {} : { argsError, rawArgs: '{' }),
    };
    yield { kind: 'TOOL_CALL_START', toolCallId: id, toolName: name };
    yield { kind: 'TOOL_CALL_END', toolCallId: id, toolName: name, call: part };
    content.push(part);
  }
  if (reply.error !== undefined) yield { kind: 'ERROR', error: reply.error };
  else yield finishOf(reply, content, turn);
}

function finishOf(reply: Reply, content: ReadonlyArray<ContentPart>, turn: number): StreamEvent {
  const usage = reply.usage ?? { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const reason = reply.finish ?? (reply.calls === undefined ? 'stop' : 'tool_calls');
  const finishReason = { reason, raw: reason };
  const message = { role: 'assistant' as const, content };
  const response = {
    id: `resp_${turn}`,
    model: 'scripted',
    provider: 'scripted',
    message,
    finishReason,
    usage,
    warnings: [],
  };
  return { kind: 'FINISH', finishReason, usage, response };
}
