/** Why something did not happen, as a value. A throw means a bug. */
export type Failure<Code extends string = string> = {
  readonly code: Code;
  /** Says what to do. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
};

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whatever was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
