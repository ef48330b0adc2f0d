/** A failure as a value: `message` is one line that tells a person what to do. */
export type Failure<Code extends string = string> = {
  readonly code: Code;
  readonly message: string;
  readonly retryable: boolean;
  /** For the log: what is too long or too raw to show. */
  readonly detail?: string;
};

export type Result<Value, Error extends Failure = Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error };

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function failed<Error extends Failure>(error: Error): { readonly ok: false; readonly error: Error } {
  return { ok: false, error };
}
