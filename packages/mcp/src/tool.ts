import type { ImagePart } from '@attractor/llm';

/** What a model gets of an answer. */
export type McpToolResult = {
  readonly output: string;
  readonly isError: boolean;
  readonly images?: ReadonlyArray<ImagePart>;
};

/** Why a program of a repository may not be started now: its files are not as a person trusted them. */
export type ChangedProgram = {
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
  readonly changes: () => string | null;
  readonly accept: () => void;
};

/** The name of a server, and where it comes from, in the published words. */
export type McpOrigin = {
  readonly name: string;
  readonly source: 'sdk' | 'dynamic' | 'local' | 'project' | 'user' | 'plugin';
};

/** A server's tool in the shape of a session's own. It acts on the server alone: it does not use the session's environment. */
export type McpTool = {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly executor: (
    args: Readonly<Record<string, unknown>>,
    environment: unknown,
    context?: {
      readonly toolCallId?: string;
      readonly signal?: AbortSignal;
      readonly onOutput?: (text: string) => void;
    },
  ) => Promise<McpToolResult>;
  readonly readOnly?: boolean;
  /** The server that it belongs to, and who named that: `sdk` is the program that opened the session. */
  readonly server: McpOrigin;
  /** What keeps its server from being started; null while it runs, or if nothing does. */
  readonly changed?: () => ChangedProgram | null;
};
