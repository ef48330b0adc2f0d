import { defined } from '@attractor/base';
import { contentOf, type Accumulated } from '../accumulate.ts';
import type { ContentPart } from '../types/content.ts';
import { LlmError } from '../types/error.ts';
import type { Request } from '../types/request.ts';
import type { FinishReason, RateLimitInfo, Response, Warning } from '../types/response.ts';
import type { StreamEvent } from '../types/stream.ts';
import { NO_USAGE, type Usage } from '../types/usage.ts';
import { openEnds, type LiftState } from './lift.ts';

/** What is known about an answer while it arrives; owned by one exchange. */
export type Progress = {
  readonly service: string;
  readonly request: Request;
  content: Accumulated;
  lift: LiftState;
  warnings: ReadonlyArray<Warning>;
  rateLimit: RateLimitInfo | undefined;
};

/** FINISH with the whole response; throws if the provider never said that it was done. */
export function finished(progress: Progress): StreamEvent {
  const { end } = progress.lift;
  if (end === undefined) {
    throw new LlmError({
      code: 'stream',
      message: `${progress.service}: the answer broke off before its end. Ask again.`,
      retryable: true,
      provider: progress.service,
    });
  }
  const response = responseOf(progress, end);
  return { kind: 'FINISH', finishReason: response.finishReason, usage: response.usage, response };
}

/** The end of a failed exchange, with what had arrived. */
export function* failed(error: LlmError, progress: Progress): Generator<StreamEvent> {
  if (!progress.lift.started) yield { kind: 'STREAM_START' };
  yield* openEnds(progress.lift);
  const partial = responseOf(progress, { finishReason: { reason: 'error', raw: '' }, usage: NO_USAGE });
  yield { kind: 'ERROR', error, ...(partial.message.content.length === 0 ? {} : { partial }) };
}

function responseOf(progress: Progress, end: { readonly finishReason: FinishReason; readonly usage: Usage }): Response {
  const { lift, service, request } = progress;
  const content = markCutOff(contentOf(progress.content, originOf(service, request)), end.finishReason, lift);
  return {
    id: lift.responseId ?? '',
    model: lift.model ?? request.model,
    provider: service,
    message: { role: 'assistant', content },
    finishReason: settleReason(end.finishReason, content),
    usage: withReasoning(end.usage, content),
    warnings: lift.warnings,
    ...defined({ rateLimit: progress.rateLimit }),
  };
}

/** If an answer was cut at the token limit, a last call without any argument text was never finished; a complete object was. */
function markCutOff(
  content: ReadonlyArray<ContentPart>,
  finish: FinishReason,
  lift: LiftState,
): ReadonlyArray<ContentPart> {
  const last = content.at(-1);
  if (finish.reason !== 'length' || last?.kind !== 'TOOL_CALL' || lift.argsSeen) return content;
  const argsError =
    'The answer hit its token limit before the arguments were written. Call again with less text before it.';
  return content.with(content.length - 1, { ...last, args: {}, rawArgs: '', argsError });
}

/** Compatible services say "stop" after calls; the presence of calls decides. */
function settleReason(finish: FinishReason, content: ReadonlyArray<ContentPart>): FinishReason {
  const called = content.some((part) => part.kind === 'TOOL_CALL');
  return finish.reason === 'stop' && called ? { ...finish, reason: 'tool_calls' } : finish;
}

/** If a provider shows its thinking but does not count it, four characters count as a token. */
function withReasoning(usage: Usage, content: ReadonlyArray<ContentPart>): Usage {
  if (usage.reasoningTokens !== undefined) return usage;
  const length = content.reduce((sum, part) => sum + (part.kind === 'THINKING' ? part.text.length : 0), 0);
  return length === 0 ? usage : { ...usage, reasoningTokens: Math.min(usage.outputTokens, Math.ceil(length / 4)) };
}

/** Whose signatures an answer has. */
export function originOf(service: string, request: Request): string {
  return `${service}/${request.model}`;
}
