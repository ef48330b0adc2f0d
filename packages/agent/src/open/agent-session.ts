import type { Result } from '@attractor/base';
import type { Client } from '@attractor/llm';
import type { HeldSession } from '@attractor/journal';
import type { McpServerDefinition, McpServerStatus } from '@attractor/mcp';
import type { PermissionMode, PermissionRule, Policy } from '@attractor/policy';
import type { profileFor } from '../profiles/choose.ts';
import type { ToolPorts } from '../profiles/ports.ts';
import type { Sandbox } from '@attractor/confine';
import type { Session, SessionOptions } from '../contract/session.ts';
import type { ExecutionEnvironment, ProfileId, RegisteredTool, SessionConfig, SessionInput } from '../types/index.ts';
import type { FileNames } from './session-files.ts';
import type { SessionSetup } from '@attractor/settings';

/** Where a session that somebody holds is kept: its journal, and beside it what its commands print. */
export type SessionPlace = Pick<HeldSession, 'folder' | 'journal' | 'isNew'> & Partial<Pick<HeldSession, 'id'>>;

/** What a session is opened with. Only the folder and the client are needed. */
export type AgentSessionOptions = Pick<SessionOptions, 'approve' | 'askUser' | 'beforeChange' | 'redactor' | 'now'> & {
  /** Where the agent works. */
  readonly folder: string;
  /** Further folders that tools may work in. Absent: those of the setup. */
  readonly furtherFolders?: ReadonlyArray<string>;
  /** Who asks models; whoever made it closes it. */
  readonly client: Client;
  /** Absent: that of the session that is resumed, else the client's first. */
  readonly provider?: string;
  /** Absent: that of the session that is resumed, else what suits the provider. */
  readonly model?: string;
  /** What a person wrote down, see `readSetup`. Absent: nothing counts but what is given here. */
  readonly setup?: SessionSetup;
  /** Where the conversation is kept, so that it can be resumed. Absent: in memory. */
  readonly home?: string;
  /** The id, or its beginning, of a session of that home to go on with. Absent: a new one. */
  readonly resume?: string;
  /** Instead of `home`: a place that is held already. The session closes its journal. */
  readonly place?: SessionPlace;
  /** What may run unasked. Absent: what the setup says, else `default`. */
  readonly mode?: PermissionMode;
  /** Besides those of the setup: rules, or allow rules as people write them, such as `Bash(npm test)`. */
  readonly rules?: ReadonlyArray<PermissionRule | string>;
  /** Instead of mode and rules: who judges every call. */
  readonly policy?: Policy;
  /** Nothing may be changed: only tools that read are offered, no server is started, and the mode is `plan`. */
  readonly readOnly?: boolean;
  /** What commands are started in; whoever made it closes it. `none`: a person allowed to go without. Absent: one is looked for. */
  readonly sandbox?: Sandbox | 'none';
  /** What tools act on. Absent: the folder, on this machine. */
  readonly environment?: ExecutionEnvironment;
  /** All variables that commands see. Absent: those of this process that hold no secret. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Tools besides those of the profile. */
  readonly tools?: ReadonlyArray<RegisteredTool>;
  /** What some of the profile's tools need besides. */
  readonly ports?: ToolPorts;
  /** How a family of models likes to work. Absent: what suits provider and model. */
  readonly profile?: ProfileId | typeof profileFor;
  /** MCP servers besides those of the setup, which they win over; `mcpConfig` as it is written in a `.mcp.json`. */
  readonly servers?: {
    readonly mcp: ReadonlyArray<McpServerDefinition>;
    readonly mcpConfig: Readonly<Record<string, unknown>>;
  };
  readonly config?: Partial<SessionConfig>;
  /** Of the program that opens the session, told to servers. */
  readonly version?: string;
  /** Ends the waiting for servers that do not come up. */
  readonly signal?: AbortSignal;
};

/** What came of an input: the last words of the model, or why there are none. */
export type Reply = Result<{ readonly text: string }>;

/**
 * A conversation that acts, with all that it was opened with. `send`, `resume` and `close` never reject; `close` ends everything that
 * was started for it: commands in the background, servers, hooks, and a sandbox that was found for it.
 */
export type AgentSession = Omit<Session, 'resume' | 'abort'> & {
  /**
   * What a person typed: `/name` of a command or skill is written out, and what it mentions of servers is read. `submit` says
   * something word for word.
   */
  readonly send: (input: SessionInput) => Promise<Reply>;
  /** Goes on with an input that a dead process left unfinished; answers at once when there is none. */
  readonly resume: () => Promise<Reply>;
  /** Stops the work: what had not begun is answered as not run. The session is closed then, and can be opened again. */
  readonly interrupt: () => Promise<void>;
  readonly provider: string;
  readonly model: string;
  readonly folder: string;
  readonly mode: PermissionMode;
  /** What a person can call by name. */
  readonly names: FileNames & { readonly agents: ReadonlyArray<string> };
  readonly servers: () => ReadonlyArray<McpServerStatus>;
  /** For the person, a line each: servers that are not used, or did not come up. */
  readonly notes: ReadonlyArray<string>;
};
