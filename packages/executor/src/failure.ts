import type { Failure as AnyFailure } from '@attractor/base';

/** `message` is one line that tells a person what to do. */
export type Failure<Code extends string = string> = AnyFailure<Code> & {
  /** For the log: what is too long or too raw to show. */
  readonly detail?: string;
};
