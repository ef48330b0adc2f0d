import { defined } from '@attractor/base';
import type { Client } from '../client.ts';
import type { ToolCallPart } from '../types/content.ts';
import { LlmError } from '../types/error.ts';
import { systemMessage, userMessage } from '../types/message.ts';
import type { Message } from '../types/message.ts';
import type { Request, Timeouts } from '../types/request.ts';
import { checkTools } from './tool.ts';
import type { Tool } from './tool.ts';
import type { StepResult } from './result.ts';

/** What goes into every request of one generation unchanged. */
type Passed = Pick<
  Request,
  | 'model'
  | 'provider'
  | 'toolChoice'
  | 'responseFormat'
  | 'temperature'
  | 'topP'
  | 'maxTokens'
  | 'stopSequences'
  | 'reasoningEffort'
  | 'metadata'
  | 'providerOptions'
  | 'maxRetries'
>;

/** Exactly one of `prompt` and `messages`. */
export type GenerateOptions = Passed & {
  readonly prompt?: string;
  readonly messages?: ReadonlyArray<Message>;
  /** Placed before the messages. */
  readonly system?: string;
  readonly tools?: ReadonlyArray<Tool>;
  /** How often tool calls are run and answered; the model is asked at most once more than that. 0: never. Default 1. */
  readonly maxToolRounds?: number;
  /** Called after each round of tools; true ends the generation with what there is. */
  readonly stopWhen?: (steps: ReadonlyArray<StepResult>) => boolean | Promise<boolean>;
  /** May replace a call with an unknown tool or invalid arguments; `undefined` leaves the error to the model. */
  readonly repairToolCall?: (broken: BrokenToolCall) => ToolCallPart | undefined | Promise<ToolCallPart | undefined>;
  readonly timeouts?: GenerateTimeouts;
  readonly abortSignal?: AbortSignal;
  /** Default: the one given to `setDefaultClient`. */
  readonly client?: Client;
};

export type BrokenToolCall = {
  readonly call: ToolCallPart;
  readonly problem: string;
  readonly tools: ReadonlyArray<Tool>;
};

/** Milliseconds. `total` is for the whole generation, `perStep` for one answer of the model with its retries and its tools. */
export type GenerateTimeouts = Pick<Timeouts, 'connect' | 'idle'> & {
  readonly total?: number;
  readonly perStep?: number;
};

/** The first request of a generation; wrong options are refused before anything is sent. */
export function firstRequest(options: GenerateOptions): Request {
  const tools = options.tools ?? [];
  checkTools(tools);
  return {
    ...passedOf(options),
    messages: conversationOf(options),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }),
    ...timeoutsOf(options.timeouts),
  };
}

function conversationOf({ prompt, messages, system }: GenerateOptions): ReadonlyArray<Message> {
  if ((prompt === undefined) === (messages === undefined)) {
    const found = prompt === undefined ? 'neither' : 'both';
    const message = `Give either \`prompt\` or \`messages\`; ${found} were given.`;
    throw new LlmError({ code: 'invalid_request', message, retryable: false });
  }
  const asked = messages ?? [userMessage(prompt ?? '')];
  return system === undefined ? asked : [systemMessage(system), ...asked];
}

const PASSED: ReadonlyArray<keyof Passed> = [
  'model',
  'provider',
  'toolChoice',
  'responseFormat',
  'temperature',
  'topP',
  'maxTokens',
  'stopSequences',
  'reasoningEffort',
  'metadata',
  'providerOptions',
  'maxRetries',
];

function passedOf(options: GenerateOptions): Passed {
  const set = PASSED.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return { model: options.model, ...Object.fromEntries(set) };
}

/** The generation itself enforces `total` and `perStep`: they span retries and tools. */
function timeoutsOf(timeouts: GenerateTimeouts | undefined): Pick<Request, 'timeouts'> {
  if (timeouts?.connect === undefined && timeouts?.idle === undefined) return {};
  return {
    timeouts: {
      ...defined({ connect: timeouts.connect, idle: timeouts.idle }),
    },
  };
}
