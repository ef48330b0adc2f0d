/**
 * A server as data: reading it starts and asks nothing. `scope` says who wrote it: a repository's server (`project`, `local`) is used only
 * once a person trusted it; `flag`, `user` and `plugin` are the person's own.
 */
export type McpServerDefinition = {
  readonly name: string;
  readonly scope: McpScope;
  readonly transport: McpStdioServer | McpHttpServer | McpHostServer;
  /** From start to the list of its tools. Absent: 30 s. */
  readonly startupTimeoutMs?: number;
  /** How long a call may be silent; progress and questions to a person reset the time. Absent: 120 s. */
  readonly callTimeoutMs?: number;
  /** Absent: all that it has. By the server's own names. */
  readonly onlyTools?: ReadonlyArray<string>;
  readonly withoutTools?: ReadonlyArray<string>;
};

export type McpScope = 'flag' | 'local' | 'project' | 'user' | 'plugin';

/** It gets the allow-listed environment and `env`, nothing else. */
export type McpStdioServer = {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the workspace. */
  readonly cwd?: string;
};

/** `http` is the streamable transport, `sse` the one of 2024. */
export type McpHttpServer = {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A command that prints further headers as a JSON object, run for every connection. */
  readonly headersHelper?: string;
  /** Absent: learned from the server, unless a header already carries a credential. */
  readonly oauth?: McpOAuthSettings;
};

/** A server inside the program that opened the session: messages go to it and come from it without a wire of their own. */
export type McpHostServer = {
  readonly kind: 'host';
  /** Starts listening. `send` resolves once the message has arrived; its answer comes as a message. */
  readonly open: (onMessage: (message: unknown) => void) => McpHostLine;
};

export type McpHostLine = {
  readonly send: (message: unknown) => Promise<void>;
  readonly close: () => void;
};

export type McpOAuthSettings = {
  /** Absent: this client registers itself. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The address of a document that describes this client; it is then the client's id, if the issuer allows that. */
  readonly clientMetadataUrl?: string;
  /** Absent: a free port. */
  readonly callbackPort?: number;
  readonly authServerMetadataUrl?: string;
  readonly scopes?: ReadonlyArray<string>;
  /**
   * For issuers of 2025-03-26 whose document names another issuer than the requested one. Weaker, and not settable in a file: only in code.
   */
  readonly isIssuerUnchecked?: boolean;
};

/** Whether a repository wrote this definition. */
export function needsTrust({ scope }: Pick<McpServerDefinition, 'scope'>): boolean {
  return scope === 'project' || scope === 'local';
}
