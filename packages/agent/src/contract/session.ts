import type { Result } from '@attractor/base';
import type { Client, Usage } from '@attractor/llm';
import type {
  Answers,
  ConfiguredFields,
  DeliveredEvent,
  ExecutionEnvironment,
  ProviderProfile,
  Question,
  RegisteredTool,
  SessionConfig,
  SessionInput,
  SessionState,
  Subagent,
  ToolDefinition,
  ToolResult,
  Turn,
} from '../types/index.ts';
import type { CompactionOptions } from '../compaction/contract.ts';
import type { Journal } from '@attractor/journal';
import type { Hooks } from '../hooks/hooks.ts';
import type { AgentDefinition, ChangedFiles, HookEventName, HookOutcome } from '@attractor/settings';
import type { Redactor } from '@attractor/redact';
import type { ApprovalAnswer, ApprovalRequest, LivePolicy, Policy, PolicyPlace, RuleFiles } from '@attractor/policy';

/**
 * Asked before a call runs that the policy asks about; without a policy, before every tool that is not read-only. It may take days:
 * until it answers, nothing runs. The `signal` says that nobody waits for the answer any more.
 */
export type Approve = (
  request: ApprovalRequest & Required<Pick<ApprovalRequest, 'contentHash' | 'shown' | 'suggestions'>>,
  asking: {
    readonly sessionId: string;
    readonly signal: AbortSignal;
    /** The agent whose call it is, by the call that sent it out. Absent: the session itself. */
    readonly agentId?: string;
  },
) => Promise<GivenAnswer>;

/** A program that answers in a person's place may also change permissions, in the published shape. */
export type GivenAnswer = ApprovalAnswer & { readonly updates?: ReadonlyArray<unknown> };

/** Puts the model's questions to a person. It may take days; if `session.answer` comes first, that counts. */
export type AskUser = (request: QuestionRequest) => Promise<Answers>;

/** What the previews of possible answers are written in. */
export type QuestionPreviews = 'markdown' | 'html';

/** What the model asks the person. */
export type QuestionRequest = {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly questions: ReadonlyArray<Question>;
  readonly signal: AbortSignal;
};

/** What hooks are told about a subagent, besides what they are told about its session. */
export type AsSubagent = {
  readonly id: string;
  readonly type: string;
  readonly rootSessionId: string;
  readonly rootTranscript: string;
};

/** A source of tools that can come and go during a session, such as those of MCP servers. */
export type ToolSource = {
  readonly list: () => ReadonlyArray<RegisteredTool>;
  /** Programs whose tools are not known yet, because they changed since a person trusted them. Absent: none. */
  readonly held?: () => ReadonlyArray<HeldProgram>;
};

/** What an agent of some type has for itself alone, besides what it shares with its session. */
export type AgentPlace = {
  /** Where it works. Absent: where its session does. */
  readonly work?: Pick<SessionOptions, 'environment'> & Pick<PolicyPlace, 'containment'>;
  /** The checkout that was made for it: it goes on there. */
  readonly worktree?: string;
  readonly toolSources: ReadonlyArray<ToolSource>;
  /** Its tools that `tools` need not name. */
  readonly ownTools: ReadonlyArray<string>;
  /** Added to its system text. */
  readonly text: string;
  /** For the person. */
  readonly problems: ReadonlyArray<string>;
  /** `isOver`: it won't go on. Gives a line about what it leaves, or null. */
  readonly end: (isOver: boolean) => Promise<string | null>;
};

/** Null: an agent of this type has nothing for itself. `worktree`: the one that it had in an earlier process. */
export type OpenAgentPlace = (agent: AgentDefinition, worktree?: string) => Promise<Result<AgentPlace>> | null;

/** `start` once the changed files are accepted: null, or why it could not be started. */
export type HeldProgram = {
  readonly name: string;
  readonly changed: ChangedFiles;
  readonly start: () => Promise<string | null>;
};

/** A file whose settings the session was opened with, and whose they are. */
export type SettingFile = {
  readonly file: string;
  readonly source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
};

/** A command or a skill that a person called by its name. */
export type Called = {
  readonly type: 'slash_command' | 'mcp_prompt';
  readonly name: string;
  readonly arguments: string;
  /** Where it was found. */
  readonly source: string;
  /** The model that its file names. Absent: the session's. */
  readonly model?: string;
  /** Its text, with its commands run. Called once hooks have accepted it. */
  readonly expand: () => Promise<SessionInput>;
};

/** What hooks are told of how a session came to be, and of what runs beside it. */
export type Circumstances = {
  /** Who writes the prompts. Absent: a program. */
  readonly promptsBy?: 'user' | 'sdk';
  /** Absent: a new session, or one that is resumed. */
  readonly begunBy?: 'clear' | 'fork';
  /** The agent whose part the session plays. */
  readonly agentType?: string;
  /** Why it is left, asked when it is. Absent: for no reason of these. */
  readonly exit?: () => ExitReason;
  /** Commands that were left running. Absent: none. */
  readonly background?: () => ReadonlyArray<{
    readonly id: string;
    readonly status: string;
    readonly command: string;
    readonly description?: string;
  }>;
};

/** Why a person leaves a session, in the words of hooks. */
type ExitReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/** What a session is made of. Only the first four are needed; each of the others says what happens without it. */
export type SessionOptions = {
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly config: SessionConfig;
  /** Absent: events live in memory only. */
  readonly journal?: Journal;
  /** Takes secrets out of everything that is stored, shown or sent. Absent: a redactor that knows the host's sensitive variables. */
  readonly redactor?: Redactor;
  /** Opens the journal of a subagent by its session's id. Absent: a subagent's work is lost with its process. */
  readonly journalFor?: (childSessionId: string) => Journal;
  /** Judges every call before it starts. Calls that need a person go to `approve`, and are denied if there is none. */
  readonly policy?: Policy | LivePolicy;
  /** Where a person's "allow always" may be saved. Absent: in the session only. */
  readonly ruleFiles?: RuleFiles;
  /** Absent, and no policy: everything the registry offers may run. */
  readonly approve?: Approve;
  /** Awaited once a call that may change something is allowed, before it starts. */
  readonly beforeChange?: (toolName: string) => Promise<void>;
  /**
   * Awaited once the start of a call that may change something is recorded, before it runs. If it rejects, the call does not run and the
   * session ends with the error: for callers that keep the record in a second place, so that nobody who continues from there runs it again.
   */
  readonly confirmStart?: () => Promise<void>;
  /** Hooks that are called at each step and can change it. Subagents share them; the caller that made them closes them. */
  readonly hooks?: Hooks;
  /** Hooks are told when one of these changes. Absent: none. */
  readonly settingFiles?: ReadonlyArray<SettingFile>;
  /** Reads skills again, for a hook that asks for it; null, or why it was not done. Absent: there are none to read. */
  readonly readSkillsAgain?: () => Promise<string | null>;
  /** Given: Setup hooks are called before the session starts. */
  readonly setupTrigger?: 'init' | 'maintenance';
  /** Absent: a program made it, for itself. */
  readonly circumstances?: Circumstances;
  /** For a subagent: its identity, and the session at the top. */
  readonly asSubagent?: AsSubagent;
  /** Lets a session outgrow its model's window, and enables /compact. */
  readonly compaction?: CompactionOptions;
  /** The project's memory: part of the system text, extended by /remember. See `memoryFileOf`. */
  readonly memoryFile?: string;
  /** Given: the model may ask the person. `'wait'`: its questions appear as events, and `session.answer` answers them. */
  readonly askUser?: AskUser | 'wait';
  /** Absent: the model writes previews as it likes. */
  readonly questionPreviews?: QuestionPreviews;
  /** Tools besides the profile's; the profile's win if names are equal. Read for every request, so that changes are seen. */
  readonly toolSources?: ReadonlyArray<ToolSource>;
  /** Other profiles that the session may have been switched to; a resumed session finds its last one here. */
  readonly profiles?: ReadonlyArray<ProviderProfile>;
  /** The types of agents that the model may delegate to, such as `BUILT_IN_AGENTS`. Absent: none. */
  readonly agents?: ReadonlyArray<AgentDefinition>;
  /** Makes what agents of some types have for themselves. Absent: they have nothing. */
  readonly openPlace?: OpenAgentPlace;
  /** Asked between two rounds for what a person said meanwhile; null: nothing more. What it gives is said there, as steering. */
  readonly saidMeanwhile?: () => string | null;
  /** Whether the session has this tool of its profile or of its own; sources are not asked about. Absent: all of them. */
  readonly offers?: (toolName: string) => boolean;
  /** Calls of a tool, by any of its names, that another one answers. One step only. Absent: none. */
  readonly toolAliases?: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  readonly depth?: number;
  /** URLs that were named where this session's task comes from; a policy allows reading them without asking. Absent: none. */
  readonly isMentioned?: (url: string) => boolean;
  /** The clock for the date in the system text. Absent: this machine's clock. */
  readonly now?: () => Date;
};

export type SubmitAbout = {
  readonly todo?: ReadonlyArray<string>;
  readonly called?: () => Called | null;
  readonly key?: string;
};

/** `id`: a name for the work. Absent model: that of the agent, otherwise the session's. */
export type DelegatedOrder = {
  readonly id: string;
  readonly agent: string;
  readonly instruction: string;
  readonly model?: string;
};

/** What can change between two model requests. `reasoningEffort: null` leaves the effort to the provider again. */
export type SessionChanges = Omit<ConfiguredFields, 'profile'> & {
  readonly profile?: ProviderProfile;
  /** How another model was asked for; hooks are told. Absent: by a program, under this name. */
  readonly by?: { readonly source: 'command' | 'picker' | 'sdk'; readonly asked?: string | null };
};

/**
 * A conversation that acts. One input is processed at a time; a tool starts only after its TOOL_CALL_START is in the journal; SESSION_END
 * is the last event and closes the journal. `submit` resolves when the input and its queued follow-ups are done or the session was closed
 * meanwhile (see `state` and `error`); it rejects only if the session is already closed.
 */
export type Session = {
  readonly id: string;
  /** Whether a person lets files run that changed since they were trusted; see `ChangedFiles`. */
  readonly confirmChanged: (what: string, changed: ChangedFiles) => Promise<boolean>;
  /**
   * If another input is being processed, this one waits its turn. `todo`: the steps that the list of steps begins with. `called`: what the
   * input calls by its name, asked once hooks have begun the session; its text takes the place of the input. `key`: what its sender calls it, kept with it in the journal.
   */
  readonly submit: (input: SessionInput, about?: SubmitAbout) => Promise<void>;
  /** Calls hooks in the name of the session, for what happens beside the conversation. */
  readonly fireHook: (event: HookEventName, extras: Readonly<Record<string, unknown>>) => Promise<HookOutcome>;
  /** Has an agent of a type do something, from start to end, and gives its report. */
  readonly delegate: (order: DelegatedOrder, signal?: AbortSignal) => Promise<ToolResult>;
  /** Continues an input that a dead process left unfinished; resolves at once if there is none. */
  readonly resume: () => Promise<void>;
  /** Said between two rounds. `key` is kept with it in the journal. */
  readonly steer: (message: string, key?: string) => void;
  readonly followUp: (input: SessionInput) => void;
  /** Answers a QUESTION_ASKED; false if that call no longer waits for an answer. The first answer counts. */
  readonly answer: (toolCallId: string, answers: Answers) => boolean;
  /** Takes effect with the next model request. */
  readonly configure: (changes: SessionChanges) => void;
  /**
   * Stops the input under way, drops what is queued behind it, and resolves when nothing works any more: calls that had not begun are
   * answered as not run. The session stays open. `awaited`: agents that were left at work go on, and report to the next input.
   */
  readonly cancel: (which?: 'awaited') => Promise<void>;
  /** Stops the work for good: calls that had not begun are answered as not run. */
  readonly abort: () => Promise<void>;
  /** Ends this process's hold on the session; unfinished work continues after `resumeSession`. */
  readonly close: () => Promise<void>;
  /**
   * The first reader also gets earlier events; later ones get events from then on. Ends after SESSION_END; throws if that could not be
   * recorded. A reader that falls far behind loses only deltas, if there is a journal; `seq` shows the gap.
   */
  readonly events: () => AsyncIterable<DeliveredEvent>;
  readonly state: () => SessionState;
  /** What the model is offered now: the tools of the profile, the session and its sources, minus those that the policy hides. */
  readonly tools: () => ReadonlyArray<ToolDefinition>;
  readonly history: () => ReadonlyArray<Turn>;
  /** Includes what finished subagents used. */
  readonly usage: () => Usage;
  /** How many tokens the conversation takes of the model's window: as the service last counted it, with what came since. */
  readonly tokensInUse: () => number;
  readonly subagents: () => ReadonlyArray<Subagent>;
  /** Stops an agent that is at work; the error is that there is none of this id. */
  readonly stopSubagent: (id: string) => Promise<ToolResult>;
  /** Commands and agents that the input under way waits for go on by themselves: all, or that of one call. How many there were. */
  readonly leaveCalls: (toolCallId?: string) => number;
  /** The model counts as having read this file as it is now. */
  readonly countAsRead: (file: string) => Promise<void>;
  /** The system text is made again with the next request. */
  readonly renewText: () => void;
  /** Why the session closed itself; null unless it did. */
  readonly error: () => Error | null;
};
