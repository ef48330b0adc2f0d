export type Listening = {
  /** Ends the wait for stdin. */
  readonly signal: AbortSignal;
  /** Called with every line that is not a user line, as soon as it arrives. */
  readonly onControl: (line: Readonly<Record<string, unknown>>) => void;
};
