import { LlmError } from '../types/error.ts';
import { toolMessage } from '../types/message.ts';
import type { Request } from '../types/request.ts';
import type { Response } from '../types/response.ts';
import type { StreamEvent } from '../types/stream.ts';
import { startDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { defaultClient } from './default-client.ts';
import { asLlmError } from './failure.ts';
import { firstRequest } from './options.ts';
import type { GenerateOptions } from './options.ts';
import { stepOf } from './result.ts';
import type { StepResult } from './result.ts';
import { isPassive, runTools, toolCallsOf } from './run-tools.ts';

/**
 * The events of a generation. Each step has its own STREAM_START and ends with STEP_FINISH, after its tools ran; the last event is one
 * FINISH, the last answer's, or one ERROR. It never throws.
 */
export type GenerateEvent = StreamEvent | { readonly kind: 'STEP_FINISH'; readonly step: StepResult };

/** Ask, run the tools, ask again: `generate` and `streamGenerate` are two ways to read this one loop. */
export async function* runSteps(options: GenerateOptions): AsyncGenerator<GenerateEvent, void> {
  const whole = startDeadline({ outer: options.abortSignal, limitMs: options.timeouts?.total, what: 'The generation' });
  try {
    yield* loop(options, whole);
  } catch (error) {
    yield { kind: 'ERROR', error: whole.error() ?? asLlmError(error) };
  } finally {
    whole.close();
  }
}

async function* loop(options: GenerateOptions, whole: Deadline): AsyncGenerator<GenerateEvent, void> {
  const steps: StepResult[] = [];
  let request = firstRequest(options);
  for (;;) {
    const turn = yield* oneStep({ options, request, whole, round: steps.length });
    if ('kind' in turn) return yield turn;
    steps.push(turn.step);
    yield { kind: 'STEP_FINISH', step: turn.step };
    if (turn.done || (await options.stopWhen?.(steps)) === true) return yield turn.finish;
    request = continued(request, turn.step);
  }
}

type Finish = Extract<StreamEvent, { kind: 'FINISH' }>;
type Failure = Extract<StreamEvent, { kind: 'ERROR' }>;
type Turn = { readonly step: StepResult; readonly finish: Finish; readonly done: boolean };

type StepInput = {
  readonly options: GenerateOptions;
  readonly request: Request;
  readonly whole: Deadline;
  readonly round: number;
};

async function* oneStep(input: StepInput): AsyncGenerator<GenerateEvent, Turn | Failure> {
  const { options, request, whole, round } = input;
  const limit = startDeadline({
    outer: whole.signal,
    limitMs: options.timeouts?.perStep,
    what: 'One step of the generation',
  });
  try {
    const client = options.client ?? defaultClient();
    const end = yield* untilEnd(client.stream({ ...request, abortSignal: limit.signal }));
    if (end.kind === 'ERROR') return { ...end, error: limit.error() ?? end.error };
    const { response } = end;
    if (!mayRunTools(response, round, options)) return { step: stepOf(response, []), finish: end, done: true };
    const messages = [...request.messages, response.message];
    const results = await runTools({ response, messages, options, signal: limit.signal });
    const waitsForCaller = toolCallsOf(response).some((call) => isPassive(call, options));
    return { step: stepOf(response, results), finish: end, done: waitsForCaller };
  } finally {
    limit.close();
  }
}

/** Passes on what arrives; the end is held back until the step's tools have run. */
async function* untilEnd(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent, Finish | Failure> {
  for await (const event of events) {
    if (event.kind === 'ERROR' || event.kind === 'FINISH') return event;
    yield event;
  }
  const message = 'The model client ended its stream with neither FINISH nor ERROR. Ask again.';
  return { kind: 'ERROR', error: new LlmError({ code: 'stream', message, retryable: true }) };
}

/** An answer that was filtered or broken off by an error is not acted on. */
function mayRunTools(response: Response, round: number, { maxToolRounds = 1 }: GenerateOptions): boolean {
  const { reason } = response.finishReason;
  return round < maxToolRounds && toolCallsOf(response).length > 0 && reason !== 'content_filter' && reason !== 'error';
}

/** A forced tool choice applies to the first answer only: otherwise it would force calls forever. */
function continued(request: Request, step: StepResult): Request {
  const { toolChoice, ...rest } = request;
  const forced = toolChoice === 'required' || typeof toolChoice === 'object';
  return {
    ...rest,
    ...(toolChoice === undefined || forced ? {} : { toolChoice }),
    messages: [...request.messages, step.response.message, ...step.toolResults.map(toolMessage)],
  };
}
