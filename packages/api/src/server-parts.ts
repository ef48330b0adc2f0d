import type { Actor, AgentConfig, PipelineDefinition, PlatformWorkflow, Project, Result } from '@attractor/platform';
import type { ConfigOrigin } from '@attractor/project-config';
import type { ApiDocument } from './api-document.ts';
import type { TaskListView } from './views/task-list.ts';
import type { ToolInfo } from './views/tool-label.ts';

/** What a route acts with: the workflow, and the few things that only a server has. */
export type ServerParts = {
  readonly workflow: PlatformWorkflow;
  /** The agents that can be started here. */
  readonly agents: () => Promise<ReadonlyArray<AgentInfo>>;
  /** Null if the server has no folder of its own. */
  readonly copies: OwnCopies | null;
  /** The services of models that are known, and which of them have a key here. */
  readonly providers: () => ReadonlyArray<ProviderInfo>;
  /** Null if the server keeps none. */
  readonly sessions: AgentSessions | null;
  readonly tools: () => ReadonlyArray<ToolInfo>;
  /** Null if no agents are known. */
  readonly explainConfig: ((project: Project, agentType?: string) => Promise<Result<RunConfigView>>) | null;
  /** The current list of tasks. It covers the whole log, so it is cached and only read on. */
  readonly taskList: () => Promise<TaskListView>;
  /** The ids of those that come with the product and stay. */
  readonly builtInPipelines: ReadonlyArray<string>;
  readonly drawPipeline: Readonly<Record<GraphFormat, (pipeline: PipelineDefinition) => string>>;
  /** `stored`: the newest version of the same. */
  readonly readPipeline: (definition: unknown, stored: PipelineDefinition | null) => Result<PipelineDefinition>;
  readonly describeApi: () => ApiDocument;
};

/** Repositories that the server makes below its own folder and adds as projects. */
export type OwnCopies = {
  /** A folder that is there already is a conflict, with the project if it is one. */
  readonly clone: (
    wanted: { readonly url: string; readonly name?: string | undefined },
    actor: Actor,
  ) => Promise<Result<Project>>;
  /** The sample that shows the way; the second time it is the same project. */
  readonly sample: (actor: Actor) => Promise<Result<Project>>;
  /** What is being cloned now, by whomever. */
  readonly clones: () => ReadonlyArray<CopyState>;
  /** Nothing is left of it; whoever waits for it is told. */
  readonly stopClone: (id: string) => Result<null>;
};

/** A clone on its way. */
export type CopyState = {
  readonly id: string;
  /** The address, without a secret. */
  readonly url: string;
  readonly phase: 'connecting' | 'receiving' | 'resolving' | 'writing';
  /** Of this phase; null where git does not say. */
  readonly percent: number | null;
  readonly startedAt: string;
};

/** An agent that this server can start, or why it can't. */
export type AgentInfo = {
  readonly type: string;
  readonly displayName: string;
  readonly available: boolean;
  /** Why it is not available, and what to do about it. */
  readonly reason: string | null;
  /** Started if nobody chose another. */
  readonly isDefault: boolean;
  /** The names of projects in which it is the one that is started if nobody names another. */
  readonly defaultIn: ReadonlyArray<string>;
  readonly defaults: AgentConfig;
};

/** A service of models, and what makes it ready. The key itself is told to nobody. */
export type ProviderInfo = {
  readonly id: string;
  readonly isReady: boolean;
  /** It works without a key, such as a model on this machine. */
  readonly isKeyOptional: boolean;
  readonly keyVariables: ReadonlyArray<string>;
  readonly addressVariables: ReadonlyArray<string>;
  /** Where a key can be written down instead; read when the server starts. */
  readonly settingsFile: string;
  /** Those that are known by name; others work too. */
  readonly models: ReadonlyArray<{
    readonly id: string;
    readonly aliases: ReadonlyArray<string>;
    readonly contextWindow: number;
  }>;
};

/** A conversation with the agent. Tokens and cost are of all its requests, also of turns that were taken back. */
export type AgentSession = {
  readonly id: string;
  /** The first input, in one line. */
  readonly title: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly forkedFrom: { readonly sessionId: string; readonly turn: number } | null;
  /** Some process writes it now. */
  readonly isInUse: boolean;
};

export type SessionHit = {
  readonly session: AgentSession;
  readonly turn: number;
  readonly at: string;
  /** One line around the first match. */
  readonly excerpt: string;
};

/** What was said or done; outputs are cut where they are very long. */
export type SessionTurn = {
  readonly turn: number;
  readonly kind: 'user' | 'steering' | 'assistant' | 'tool_results';
  readonly at: string;
  readonly text: string;
  readonly calls: ReadonlyArray<{ readonly toolCallId: string; readonly toolName: string; readonly args: unknown }>;
  readonly results: ReadonlyArray<{
    readonly toolCallId: string;
    readonly output: string;
    readonly isError: boolean;
  }>;
};

/** The same journals that a terminal resumes. */
export type AgentSessions = {
  readonly list: (limit: number) => ReadonlyArray<AgentSession>;
  readonly search: (text: string, limit: number) => ReadonlyArray<SessionHit>;
  readonly find: (id: string) => Result<AgentSession>;
  readonly turns: (
    id: string,
    page: { readonly after: number; readonly limit: number },
  ) => Result<ReadonlyArray<SessionTurn>>;
  readonly fork: (id: string, turn?: number) => Result<{ readonly id: string }>;
  readonly live: (id: string) => Result<LiveSession>;
  /** Goes on with it here; refused while another process has it open. */
  readonly say: (id: string, text: string) => Promise<Result<LiveSession>>;
  readonly answer: (id: string, answer: LiveAnswer) => Result<LiveSession>;
  readonly stop: (id: string) => Promise<Result<LiveSession>>;
};

/** Something for which a conversation waits for a person. */
export type LiveAsk = {
  readonly id: number;
  readonly kind: 'approval' | 'question' | 'plan';
  readonly title: string;
  /** Exactly what would run or change, or what is asked. */
  readonly text: string;
  readonly why: string;
  /** What can be answered to a question, besides one's own words. */
  readonly options: ReadonlyArray<string>;
};

/** What of a conversation goes on at the server: nothing, unless somebody said something there. */
export type LiveSession = {
  readonly isWorking: boolean;
  /** The answer as far as it is written. */
  readonly text: string;
  readonly asks: ReadonlyArray<LiveAsk>;
  /** Why the last input could not be answered; null: it could. */
  readonly problem: string | null;
};

/** `words`: why not, or the answer to a question. */
export type LiveAnswer = { readonly ask: number; readonly isAllowed: boolean; readonly words: string };

/** Goes on with conversations in this process, with the settings of their folders. Each is left when its turn is over. */
export type LiveSessions = {
  readonly live: (id: string) => LiveSession;
  readonly say: (session: AgentSession, text: string) => Promise<LiveSession>;
  /** Null: nobody waits for that answer any more. */
  readonly answer: (id: string, answer: LiveAnswer) => LiveSession | null;
  readonly stop: (id: string) => Promise<LiveSession>;
  readonly close: () => Promise<void>;
};

/** The configuration that a run of the project would get: each value with its layer and, if that is a file, the line. */
export type RunConfigView = {
  readonly agentType: string;
  readonly values: ReadonlyArray<{
    readonly name: string;
    readonly value: unknown;
    readonly origin: ConfigOrigin | null;
  }>;
  /** What the repository says about agents is ignored, because nobody trusted it. */
  readonly isProjectIgnored: boolean;
};

export type GraphFormat = 'mermaid' | 'svg';
