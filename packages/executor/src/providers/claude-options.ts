export type ClaudeCodeOptions = {
  /** Folders in which the SDK may be installed, besides our own modules. The message about a missing SDK names the first. */
  readonly sdkFolders: readonly [string, ...ReadonlyArray<string>];
  /** The whole environment of the Claude Code process: either its HOME holds the login, or a key is here. It inherits nothing else. */
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
};
