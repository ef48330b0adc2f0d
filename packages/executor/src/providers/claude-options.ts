export type ClaudeCodeOptions = {
  /** Where the SDK may be installed, besides this program's own modules; the first is named when it is missing. */
  readonly sdkFolders: readonly [string, ...ReadonlyArray<string>];
  /** All that the process of Claude Code gets: its HOME has the login, or a key is in it. Nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
};
