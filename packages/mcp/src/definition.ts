/**
 * A server as data: nothing is started or asked by reading it. `scope` says who wrote it: what a repository wrote (`project`,
 * `local`) is used only once a person trusted it; `flag`, `user` and `plugin` are the person's own.
 */
export type McpServerDefinition = {
  readonly name: string;
  readonly scope: McpScope;
  readonly transport: McpStdioServer | McpHttpServer;
  /** From start to the list of its tools. Absent: 30 s. */
  readonly startupTimeoutMs?: number;
  /** How long a call may be silent; progress and questions to a person start it anew. Absent: 120 s. */
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
  /** Absent: it is found out from the server, unless a header carries a credential already. */
  readonly oauth?: McpOAuthSettings;
};

export type McpOAuthSettings = {
  /** Absent: this client registers itself. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Where a document describes this client; its address is then the client's id, where the issuer allows that. */
  readonly clientMetadataUrl?: string;
  /** Absent: a free port. */
  readonly callbackPort?: number;
  readonly authServerMetadataUrl?: string;
  readonly scopes?: ReadonlyArray<string>;
  /** For issuers of 2025-03-26 whose document names another issuer than was asked. Weaker, and in no file: only code can say it. */
  readonly isIssuerUnchecked?: boolean;
};

/** Does a repository have a say in this definition? */
export function needsTrust({ scope }: Pick<McpServerDefinition, 'scope'>): boolean {
  return scope === 'project' || scope === 'local';
}
