import type { KeyedCall, Result } from '@attractor/store';

export type CallOnce = KeyedCall & {
  /** Whether a value could be the answer to this call. */
  readonly fits: (value: unknown) => boolean;
  /** The answer contains a secret, so it is never stored. */
  readonly isSecret?: boolean;
};

export type CallCommands = {
  /**
   * Carries a call out once for its key, however often and in however many processes it is asked for, and answers the same each time;
   * `again` says that it was not the first. The key is written in the transaction of the call's first change. What is refused changes
   * nothing and leaves the key free. Refused as invalid if the key was used for another call within the last day.
   */
  readonly callOnce: <Value>(call: CallOnce, act: () => Promise<Result<Value>>) => Promise<OnceResult<Value>>;
};

export type OnceResult<Value> = Result<Value> & { readonly again?: true };
