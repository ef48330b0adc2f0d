import { messageOf } from '@attractor/base';
import { LlmError } from '../types/error.ts';

/** Whatever was thrown, as this package's one failure. A foreign error is a bug of a handler or a hook: never retried. */
export function asLlmError(error: unknown): LlmError {
  if (error instanceof LlmError) return error;
  const message = `The generation failed: ${messageOf(error)}`;
  return new LlmError({ code: 'other', message, retryable: false, cause: error });
}

export function abortedError(reason: unknown): LlmError {
  if (reason instanceof LlmError) return reason;
  return new LlmError({
    code: 'abort',
    message: 'The generation was aborted by its caller.',
    retryable: false,
    cause: reason,
  });
}
