import type { Result } from '@attractor/base';
import type { Client } from '@attractor/llm';
import type { HeldSession } from '@attractor/journal';
import type { McpChanges, McpCommand, McpElicit, McpServerDefinition, McpServerStatus } from '@attractor/mcp';
import type { LivePolicy, PermissionMode, PermissionRule, Policy, WorkLimit } from '@attractor/policy';
import type { profileFor } from '../profiles/choose.ts';
import type { ToolPorts } from '../profiles/ports.ts';
import type { Sandbox } from '@attractor/confine';
import type { BackgroundShell } from '../tools/background/shells.ts';
import type { Session, SessionOptions, SubmitAbout } from '../contract/session.ts';
import type {
  ExecutionEnvironment,
  ProfileId,
  RegisteredTool,
  SessionConfig,
  SessionInput,
  ToolResult,
} from '../types/index.ts';
import type { FileNames } from './session-files.ts';
import type { AgentDefinition, HookDefinition, SessionSetup } from '@attractor/settings';

/** Where a held session is kept: its journal, and beside it the output of its commands. */
export type SessionPlace = Pick<HeldSession, 'folder' | 'journal' | 'isNew'> & Partial<Pick<HeldSession, 'id'>>;

/** What a session is opened with. Only the folder and the client are needed. */
export type AgentSessionOptions = Pick<
  SessionOptions,
  | 'approve'
  | 'askUser'
  | 'questionPreviews'
  | 'beforeChange'
  | 'confirmStart'
  | 'redactor'
  | 'now'
  | 'saidMeanwhile'
  | 'setupTrigger'
  | 'toolAliases'
  | 'circumstances'
> & {
  /** Where the agent works. */
  readonly folder: string;
  /** It is removed after the work, as a task's worktree is: no rule about a path in it is kept for later. */
  readonly isFolderPassing?: boolean;
  /** Further folders that tools may work in. Absent: those of the setup. */
  readonly furtherFolders?: ReadonlyArray<string>;
  /** The client that calls models; the caller that made it closes it. */
  readonly client: Client;
  /** Absent: the resumed session's, otherwise the client's first. */
  readonly provider?: string;
  /** Absent: the resumed session's, otherwise the one that suits the provider. */
  readonly model?: string;
  /** What a person wrote down, see `readSetup`. Absent: only these options count. */
  readonly setup?: SessionSetup;
  /** Where the conversation is kept, so that it can be resumed. Absent: in memory only. */
  readonly home?: string;
  /** The id of a session in that home to resume, or the beginning of the id. Absent: a new session. */
  readonly resume?: string;
  /** Instead of `home`: a place that is already open. The session closes its journal. */
  readonly place?: SessionPlace;
  /** Decides what runs without asking. Absent: the setup's mode, otherwise `default`. */
  readonly mode?: PermissionMode;
  /** Added to the setup's rules: rules, or allow rules as people write them, such as `Bash(npm test)`. */
  readonly rules?: ReadonlyArray<PermissionRule | string>;
  /** Commands of the task's checks: they run unasked, exactly as they stand here, and only inside the sandbox. */
  readonly checks?: ReadonlyArray<string>;
  /** What this part of the work is limited to, whatever mode, rules and people allow. */
  readonly limit?: WorkLimit;
  /** Files that no call may read or change, whatever allows it: what would open the program that opens the session. */
  readonly hostFiles?: ReadonlyArray<string>;
  /** Replaces mode and rules: the policy that judges every call. */
  readonly policy?: Policy;
  /** Nothing may be changed: only read-only tools are offered, no server is started, and the mode is `plan`. */
  readonly readOnly?: boolean;
  /**
   * The sandbox for commands; the caller that made it closes it. `none`: a person allowed working without one. Absent: the session looks
   * for one.
   */
  readonly sandbox?: Sandbox | 'none';
  /** What tools act on. Absent: the folder, on this machine. */
  readonly environment?: ExecutionEnvironment;
  /** Called with the environment of the folder: tools act on what it returns, for hosts that hold some of its files. */
  readonly wrapEnvironment?: (environment: ExecutionEnvironment) => ExecutionEnvironment;
  /** All variables that commands see. Absent: this process's variables that hold no secret. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Tools besides those of the profile. */
  readonly tools?: ReadonlyArray<RegisteredTool>;
  /** Ports that some of the profile's tools need. */
  readonly ports?: ToolPorts;
  /** How a family of models likes to work. Absent: what suits provider and model. */
  readonly profile?: ProfileId | typeof profileFor;
  /** MCP servers besides those of the setup; these win. `mcpConfig` has the form of a `.mcp.json`. */
  readonly servers?: {
    readonly mcp: ReadonlyArray<McpServerDefinition>;
    readonly mcpConfig: Readonly<Record<string, unknown>>;
    /** Others may come while the session runs. */
    readonly mayChange?: boolean;
  };
  /** Types of agents besides those of the setup; these win. */
  readonly agents?: ReadonlyArray<AgentDefinition>;
  /** Hooks besides those of the setup. */
  readonly hooks?: ReadonlyArray<HookDefinition>;
  /** The whole system text, in place of the one that is put together. */
  readonly systemText?: string;
  /** The only built-in tools that the session has, by any of their names; servers and `tools` are not counted. Absent: all. */
  readonly onlyTools?: ReadonlyArray<string>;
  /** Asks a person for a server. Absent: servers are declined. */
  readonly elicit?: McpElicit;
  readonly config?: Partial<SessionConfig>;
  /** The version of the program that opens the session; servers are told it. */
  readonly version?: string;
  /** Stops waiting for servers that don't start. */
  readonly signal?: AbortSignal;
};

/** What a program that drives a session may do beside the conversation. None of it lets the model do what a rule denies. */
export type Beside = {
  /** Rules that count from now on, in place of those that were given so before. */
  readonly giveRules: LivePolicy['give'];
  /** The hooks that the program itself has from now on. */
  readonly renewHooks: (definitions: ReadonlyArray<HookDefinition>) => void;
  /** A file that the model may read without asking. Null: it may not, or there is none. */
  readonly readFile: (file: string) => Promise<Uint8Array | null>;
  /** The model counts as having read the file, unless it changed since that time. */
  readonly countAsRead: (file: string, mtimeMs: number) => Promise<void>;
  /** A resource of a server. */
  readonly readResource: (server: string, uri: string) => Promise<Result<ReadonlyArray<unknown>>>;
  /** The style of the next answers. False: there is none of this name. */
  readonly setStyle: (name: string) => boolean;
  /** Reads the person's skills and commands again; they count from the next input on. Null, or why it was not done. */
  readonly readSkillsAgain: () => Promise<string | null>;
  /** The same for all that plugins bring, with further folders of plugins. */
  readonly readPluginsAgain: (folders: ReadonlyArray<string>) => Promise<string | null>;
};

/** The result of an input: the model's last text, or why there is none. */
export type Reply = Result<{ readonly text: string }>;

/**
 * A conversation that can act, together with everything that was opened for it. `send`, `resume` and `close` never reject; `close` ends
 * everything that was started: commands in the background, servers, hooks, and a sandbox that the session found itself.
 */
export type AgentSession = Omit<Session, 'resume' | 'abort' | 'countAsRead' | 'renewText'> &
  Beside & {
    /**
     * What a person typed: `/name` of a command or skill is expanded, and mentioned resources of servers are read. `submit` sends a text word
     * for word.
     */
    readonly send: (input: SessionInput, about?: Pick<SubmitAbout, 'key'>) => Promise<Reply>;
    /** Continues an input that a dead process left unfinished; returns at once if there is none. */
    readonly resume: () => Promise<Reply>;
    /** Stops the work: calls that had not begun are answered as not run. The session is then closed and can be opened again. */
    readonly interrupt: () => Promise<void>;
    /** Whether no subagent and no command works beside the conversation: closing it would cut none of them off. */
    readonly isAlone: () => boolean;
    /** Judges the next calls in this mode. A session that only reads keeps its own. */
    readonly setMode: (mode: PermissionMode) => void;
    readonly provider: string;
    readonly model: string;
    readonly folder: string;
    readonly mode: PermissionMode;
    /** What a person can call by name. */
    readonly names: () => FileNames & { readonly agents: ReadonlyArray<string> };
    readonly servers: () => ReadonlyArray<McpServerStatus>;
    /** Null: the session has no servers, and none may come. */
    readonly changeServers: McpChanges | null;
    /** What servers offer as commands, `mcp__server__prompt`; asking for all starts those that are not. */
    readonly prompts: (which?: 'all' | 'running') => Promise<ReadonlyArray<McpCommand>>;
    /** Commands that the agent left running; `end` is false if there is none by that id. */
    readonly background: {
      readonly list: () => ReadonlyArray<BackgroundShell>;
      readonly end: (id: string) => Promise<boolean>;
    };
    /** Calls a tool of a server beside the conversation: no policy judges it and the model is told nothing. Null: there is no such tool. */
    readonly callServer: (
      toolName: string,
      args: Readonly<Record<string, unknown>>,
      signal?: AbortSignal,
    ) => Promise<ToolResult | null>;
    /** Lines for the person: servers that are not used, or that did not start. */
    readonly notes: ReadonlyArray<string>;
  };
