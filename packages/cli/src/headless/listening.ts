export type Listening = {
  /** Ends the waiting for what may still come on stdin. */
  readonly signal: AbortSignal;
  /** Told of every line that is no user line, as soon as it comes. */
  readonly onControl: (line: Readonly<Record<string, unknown>>) => void;
};
