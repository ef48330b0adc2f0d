import type { AgentSession, AgentSessionOptions, Approve, AskUser, SessionInput, ToolPorts } from '@attractor/agent';
import type { Result } from '@attractor/base';
import type { Sessions } from '@attractor/journal';
import type { ReasoningEffort } from '@attractor/llm';
import type { PermissionMode } from '@attractor/policy';

/** Who answers when a session asks. */
export type Asks = {
  readonly approve: Approve;
  readonly askUser: AskUser;
  readonly approvePlan: NonNullable<ToolPorts['approvePlan']>;
};

/** What a session is opened with besides the setup: a person changes these while they talk. */
export type OpenWish = {
  /** The session to go on with; absent: a new one. */
  readonly resume?: string;
  readonly model?: string;
  readonly mode?: PermissionMode;
  /** Null: the provider's own. */
  readonly effort?: ReasoningEffort | null;
  readonly folders: ReadonlyArray<string>;
} & Pick<AgentSessionOptions, 'servers' | 'wrapEnvironment' | 'circumstances'>;

/** Something with a name that a person may call: a command of theirs, a skill, an agent. */
export type Named = { readonly name: string; readonly description: string };

/** `worktree`: its name, if the folder is in one that was added to a repository. `repo`: where `origin` is. */
export type Checkout = {
  readonly worktree: string | null;
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string } | null;
};

export type RanCommand = { readonly output: string; readonly exitCode: number };

/**
 * All that the terminal needs of the rest of the house. It is loaded after the first frame is painted; nothing of a session exists before
 * `open`.
 */
export type AgentPort = {
  readonly provider: string;
  readonly model: string;
  readonly mode: PermissionMode;
  readonly version: string;
  /** Where the journal of a session is. */
  readonly transcriptOf: (sessionId: string) => string;
  /** The person's own status line: gets JSON, gives lines; what fails says why. Null: they have none. */
  readonly statusLine: ((input: string) => Promise<string>) | null;
  /** How long models were waited for, in milliseconds. */
  readonly apiMs: () => number;
  /** What git says of the folder. */
  readonly repository: () => Promise<Checkout>;
  /** The name of the style of answers that is chosen. */
  readonly style: string | null;
  /** Commands are held by a sandbox. */
  readonly isSandboxed: boolean;
  readonly sessions: Sessions;
  /** Opens a session, with snapshots of files; `close` of the session ends everything. */
  readonly open: (wish: OpenWish, asks: Asks) => Promise<Result<AgentSession>>;
  /** What a person said, with the images that it names. */
  readonly inputOf: (text: string) => Promise<SessionInput>;
  /** Lines for the person: what is written down and not used. */
  readonly notes: ReadonlyArray<string>;
  readonly commands: ReadonlyArray<Named>;
  readonly skills: ReadonlyArray<Named>;
  readonly agents: ReadonlyArray<Named>;
  /** One line each, for `/permissions`, `/hooks` and `/mcp`. */
  readonly rules: ReadonlyArray<string>;
  readonly hooks: ReadonlyArray<string>;
  readonly servers: ReadonlyArray<string>;
  readonly models: ReadonlyArray<Named>;
  /** How many tokens the window of a model has; null: nobody knows. */
  readonly windowOf: (model: string) => number | null;
  readonly memoryFile: string;
  /** A command of this program, such as `sessions rewind …`. */
  readonly attractor: (argv: ReadonlyArray<string>) => Promise<RanCommand>;
  /** The same as a line for a shell, without the program's name. */
  readonly attractorLine: (line: string) => Promise<RanCommand>;
  /** A person's own command line, run as they would run it; `tell` gets output as it comes. */
  readonly shell: (command: string, tell: (text: string) => void, signal: AbortSignal) => Promise<RanCommand>;
  readonly close: () => Promise<void>;
};
