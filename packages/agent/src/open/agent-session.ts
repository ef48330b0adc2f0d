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
  /** The client that asks models; whoever made it closes it. */
  readonly client: Client;
  /** Absent: the resumed session's, else the client's first. */
  readonly provider?: string;
  /** Absent: the resumed session's, else what suits the provider. */
  readonly model?: string;
  /** What a person wrote down, see `readSetup`. Absent: only what is given here counts. */
  readonly setup?: SessionSetup;
  /** Where the conversation is kept, so that it can be resumed. Absent: in memory. */
  readonly home?: string;
  /** The id, or its beginning, of a session of that home to go on with. Absent: a new one. */
  readonly resume?: string;
  /** Instead of `home`: a place that is already open. The session closes its journal. */
  readonly place?: SessionPlace;
  /** Decides what runs without asking. Absent: the setup's mode, else `default`. */
  readonly mode?: PermissionMode;
  /** Besides those of the setup: rules, or allow rules as people write them, such as `Bash(npm test)`. */
  readonly rules?: ReadonlyArray<PermissionRule | string>;
  /** Instead of mode and rules: the policy that judges every call. */
  readonly policy?: Policy;
  /** Nothing may be changed: only tools that read are offered, no server is started, and the mode is `plan`. */
  readonly readOnly?: boolean;
  /** The sandbox for commands; whoever made it closes it. `none`: a person allowed working without one. Absent: one is looked for. */
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
  /** Stops waiting for servers that don't start. */
  readonly signal?: AbortSignal;
};

/** What came of an input: the model's last text, or why there is none. */
export type Reply = Result<{ readonly text: string }>;

/**
 * A conversation that can act, together with everything that was opened for it. `send`, `resume` and `close` never reject; `close` ends everything that
 * was started for it: commands in the background, servers, hooks, and a sandbox that was found for it.
 */
export type AgentSession = Omit<Session, 'resume' | 'abort'> & {
  /**
   * What a person typed: `/name` of a command or skill is written out, and what it mentions of servers is read. `submit` says
   * something word for word.
   */
  readonly send: (input: SessionInput) => Promise<Reply>;
  /** Continues an input that a dead process left unfinished; answers at once when there is none. */
  readonly resume: () => Promise<Reply>;
  /** Stops the work: calls that had not begun are answered as not run. The session is then closed, and can be opened again. */
  readonly interrupt: () => Promise<void>;
  readonly provider: string;
  readonly model: string;
  readonly folder: string;
  readonly mode: PermissionMode;
  /** What a person can call by name. */
  readonly names: FileNames & { readonly agents: ReadonlyArray<string> };
  readonly servers: () => ReadonlyArray<McpServerStatus>;
  /** Lines for the person: servers that are not used, or that did not start. */
  readonly notes: ReadonlyArray<string>;
};
