import type { Failure } from '@attractor/base';

/** An open enum: an unknown code is accepted. */
export type FetchFailureCode =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'status'
  | 'unsupported'
  | (string & {});

/** Why a page was not read; the message says what to do instead. */
export type FetchFailure = Failure<FetchFailureCode> & { readonly ok: false };

export function fetchFailure(
  code: FetchFailureCode,
  message: string,
  retryable: 'retryable' | 'final' = 'final',
): FetchFailure {
  return { ok: false, code, message, retryable: retryable === 'retryable' };
}
