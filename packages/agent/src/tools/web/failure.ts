/** Open: an unknown word still passes. */
export type FetchFailureCode =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'status'
  | 'unsupported'
  | (string & {});

/** Why a page was not read; the message says what to do instead. */
export type FetchFailure = {
  readonly ok: false;
  readonly code: FetchFailureCode;
  readonly message: string;
  readonly retryable: boolean;
};

export function fetchFailure(
  code: FetchFailureCode,
  message: string,
  retryable: 'retryable' | 'final' = 'final',
): FetchFailure {
  return { ok: false, code, message, retryable: retryable === 'retryable' };
}
