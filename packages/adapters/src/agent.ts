import type { ApprovalAnswer, ApprovalRequest, PermissionMode, WorkLimit } from '@attractor/policy';
import type { Sandbox } from '@attractor/confine';
import type { SessionSetup } from '@attractor/settings';
import type { ReasoningEffort, Usage } from '@attractor/llm';

/** What an agent did, one finished piece at a time. `key` is unique within the run and stays the same if the piece is reported again. */
export type AgentMessage = { readonly key: string } & AgentMessageBody;

export type AgentMessageBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'tool_call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'tool_result';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | { readonly kind: 'usage'; readonly model: string; readonly usage: Usage; readonly costUsd: number | null }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };

/** Live pieces, fanned out and never stored. `reset` takes back the unfinished text shown so far. */
export type AgentDelta =
  | { readonly kind: 'text_delta'; readonly text: string }
  | { readonly kind: 'thinking_delta'; readonly text: string }
  | { readonly kind: 'tool_output_delta'; readonly toolCallId: string; readonly text: string }
  | { readonly kind: 'reset' };

export type AgentConfig = {
  readonly model?: string;
  readonly provider?: string;
  readonly maxTurns?: number;
  /** Milliseconds for the whole run. */
  readonly timeout?: number;
  /** How hard the model thinks, for models that can be told. */
  readonly effort?: ReasoningEffort;
  /** What runs without asking. Runs that only read keep to that whatever it says; rules that deny or ask hold in every mode. */
  readonly permissionMode?: PermissionMode;
  readonly systemPrompt?: string;
  readonly autoCommit?: boolean;
  /** Finished work is pushed if the project has a remote, unless this is false. */
  readonly autoPush?: boolean;
  readonly branchPrefix?: string;
  readonly baseBranch?: string;
  /** `new-per-task` (default): all runs of a task share one branch. `new-per-run`: each run gets its own branch that starts at the base. */
  readonly branchStrategy?: 'new-per-task' | 'new-per-run';
  /** What an earlier run left uncommitted is restored in the worktree, not only kept under a ref. */
  readonly preserveUncommitted?: boolean;
  /** The task's branch is rebased on its base before the agent starts. */
  readonly rebaseOnStart?: boolean;
  /** What happens if that rebase conflicts. Default `continue`: the branch stays as it was, and the run continues. */
  readonly onConflict?: 'continue' | 'fail';
  /** False: the project's setup does not run. */
  readonly installDeps?: boolean;
};

/** `totalCost` is null if the model's price is unknown; it is never guessed. */
export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly totalCost: number | null;
};

/** The outcomes that this run may report, each with the JSON Schema of its payload (null: no payload). */
export type OutcomeChoice = {
  readonly outcome: string;
  readonly description: string;
  readonly payloadSchema: object | null;
};

/**
 * `isAtRest`: the agent does nothing but wait for this and other answers. Stopped with the reason `shutdown` it then loses nothing, and its
 * next call asks the same again.
 */
export type Asking = { readonly isAtRest: () => boolean };

/** What a person says to an agent that works. */
export type PersonMessage = { readonly key: string; readonly text: string };

/** What can change while an agent works; it counts from the next round on. */
export type AgentChanges = Pick<AgentConfig, 'model' | 'effort' | 'permissionMode'>;

export type AgentRunOptions = {
  readonly runId: string;
  /** The worktree; never the main checkout. */
  readonly projectPath: string;
  /** The setup for this worktree: what the person wrote down, and the repository if they trust it. Absent: there is none. */
  readonly setup?: SessionSetup;
  /** The sandbox for every command. The caller that made it closes it. Absent: a person allowed working without one. */
  readonly sandbox?: Sandbox;
  /** The commands that will judge the work: in the sandbox the agent may run them unasked. */
  readonly checks?: ReadonlyArray<string>;
  /** What this part of the work is limited to. For agents that judge their own calls; what others do beyond it is found afterwards. */
  readonly limit?: WorkLimit;
  /** What would open the server. No tool of an agent that judges its own calls touches it, with or without a sandbox. */
  readonly hostFiles?: ReadonlyArray<string>;
  /** The steps of the work, for agents that keep a list of them: they begin with this one. */
  readonly todo?: ReadonlyArray<string>;
  readonly prompt: string;
  /** What people said meanwhile, for agents that can be steered: read before the work goes on, each key once. */
  readonly messages?: ReadonlyArray<PersonMessage>;
  /** The message that was given under this key is part of the conversation, on disk. */
  readonly onTaken?: (key: string) => void;
  readonly config: AgentConfig;
  /** The most rounds of tools for this input, for agents that count them. Beyond that the input ends with the error `turn_limit`. */
  readonly maxToolRounds?: number;
  readonly outcomes: ReadonlyArray<OutcomeChoice>;
  /**
   * Null if the payload is valid for the outcome, otherwise a sentence for the agent that says what is wrong. Absent: every payload is
   * valid.
   */
  readonly judgeOutcome?: (outcome: string, payload: unknown) => string | null;
  /** A folder that belongs to the run and survives restarts. What the agent stores there lets it continue. */
  readonly statePath: string;
  /** No other worker ever had this run: where `statePath` knows of no start, nothing is left of one. */
  readonly isFirstClaim?: boolean;
  readonly readOnly: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly onMessage: (message: AgentMessage) => void;
  readonly onDelta: (delta: AgentDelta) => void;
  /** Waits for a person, however long it takes. Without `asking` the agent stays in memory until there is an answer. */
  readonly approve: (request: ApprovalRequest, asking?: Asking) => Promise<ApprovalAnswer>;
  /**
   * Awaited before each request to a model, by agents that make the request themselves. After it, everything reported so far is stored, and
   * the signal says whether to continue.
   */
  readonly beforeTurn?: () => Promise<void>;
  /**
   * Awaited once the start of a call that may change something is recorded in `statePath`, before it runs, by agents that run their calls
   * themselves. If it rejects, the run belongs to somebody else: the call does not run.
   */
  readonly confirmStart?: () => Promise<void>;
  /**
   * Ends the run soon. With the reason `shutdown` or `lost_lease` the conversation is left as a crash would leave it, so that it can
   * be continued. With `interrupted` a person wants to say something first: what is under way is given up, and the next call continues.
   */
  readonly abortSignal: AbortSignal;
  readonly onPidAssigned?: (pid: number) => void;
};

export type AgentRunResult = {
  /** 0 if the agent ended by itself without an error. */
  readonly exitCode: number;
  /** The last assistant text, which is searched for markers. */
  readonly finalText: string;
  /** For the whole conversation so far. */
  readonly tokenUsage: TokenUsage;
  /** The assistant's text beside the report of the outcome, if there was one. */
  readonly outcomeText?: string;
  /** The outcome that the `report_outcome` tool reported, if it did. */
  readonly outcome?: string;
  readonly payload?: unknown;
  /** The last report that was refused and never made good: what it named, and what was wrong with it. */
  readonly refusedReport?: { readonly outcome: string; readonly problem: string };
  readonly error?: AgentFailure;
};

/** `retryAfterMs`: how long the provider asked us to wait, if it gave a number. */
export type AgentFailure = {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
};

/**
 * An agent of any type. `run` never throws. Called again with the same `runId` and `statePath` after a crash, it continues where it was,
 * runs no tool call twice, and reports the same messages with the same keys. `say` asks once more in the same conversation.
 */
export type Agent = {
  readonly type: string;
  readonly displayName: string;
  readonly isAvailable: () => Promise<
    { readonly available: true } | { readonly available: false; readonly reason: string }
  >;
  readonly getDefaultConfig: () => AgentConfig;
  readonly run: (options: AgentRunOptions) => Promise<AgentRunResult>;
  /** Says something into the run that works in this process, to be read between two rounds. Absent: the agent hears nothing while it works. */
  readonly steer?: (runId: string, message: PersonMessage) => void;
  /** Changes the run that works in this process. Absent: changes count from the agent's next call on. */
  readonly adjust?: (runId: string, changes: AgentChanges) => void;
  /** A further input (a repair turn) in the conversation of an earlier `run`; `inputKey` makes a repeat after a crash harmless. */
  readonly say?: (options: AgentRunOptions & { readonly inputKey: string }) => Promise<AgentRunResult>;
};
