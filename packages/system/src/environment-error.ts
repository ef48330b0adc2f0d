/** An open enum: an unknown code is accepted. */
export type EnvironmentErrorCode =
  | 'not_found'
  | 'not_a_file'
  | 'not_a_directory'
  | 'outside'
  | 'protected'
  | 'invalid_path'
  | 'invalid_pattern'
  | 'out_of_range'
  | 'binary'
  | 'too_large'
  | 'permission'
  | 'no_space'
  | 'read_only'
  | 'changed'
  | 'aborted'
  | 'failed'
  | (string & {});

/** Why an operation was not done. The message is for the model and for people: it says what to do instead. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code: EnvironmentErrorCode;
  readonly retryable: boolean;

  constructor(detail: {
    readonly code: EnvironmentErrorCode;
    readonly message: string;
    readonly retryable?: boolean;
    readonly cause?: unknown;
  }) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = detail.code;
    this.retryable = detail.retryable ?? false;
  }
}
