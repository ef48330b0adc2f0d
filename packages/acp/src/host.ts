import type { AgentSession, AgentSessionOptions, Approve, AskUser, ToolPorts } from '@attractor/agent';
import type { Result } from '@attractor/base';
import type { Sessions } from '@attractor/journal';
import type { ReasoningEffort } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';

/** Who answers when a session asks: here, the person at the editor. */
export type Asks = {
  readonly approve: Approve;
  readonly askUser: AskUser;
  readonly approvePlan: NonNullable<ToolPorts['approvePlan']>;
};

/** What a session is opened with, besides what is written down for its folder. */
export type Opening = {
  /** The session to go on with; absent: a new one. */
  readonly resume?: string;
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Null: the provider's own. */
  readonly effort?: ReasoningEffort | null;
  readonly folders: ReadonlyArray<string>;
} & Pick<AgentSessionOptions, 'servers' | 'wrapEnvironment'>;

export type Named = { readonly name: string; readonly description: string };

/** Our agent in one folder. No session exists before `open`; `close` ends what the sessions share. */
export type FolderAgent = {
  readonly model: string;
  readonly mode: PermissionMode;
  readonly isSandboxed: boolean;
  readonly open: (opening: Opening, asks: Asks) => Promise<Result<AgentSession>>;
  /** Lines for the person: what is written down and not used. */
  readonly notes: ReadonlyArray<string>;
  readonly commands: ReadonlyArray<Named>;
  readonly skills: ReadonlyArray<Named>;
  readonly models: ReadonlyArray<Named>;
  /** How many tokens the window of a model has; null: nobody knows. */
  readonly windowOf: (model: string) => number | null;
  readonly close: () => Promise<void>;
};

/** All that an editor's agent needs of the rest of the house. A failure with the code `unauthorised`: no model can be asked. */
export type AcpHost = {
  readonly version: string;
  readonly sessions: Sessions;
  /** Whether a model can be asked, or what to do about it. */
  readonly checkLogin: () => Result<null>;
  /** Where a person puts a key, in one line. */
  readonly howToLogIn: string;
  readonly agentIn: (folder: string, furtherFolders: ReadonlyArray<string>) => Promise<Result<FolderAgent>>;
};
