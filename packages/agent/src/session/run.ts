import type { Client, ToolCallPart } from '@attractor/llm';
import type { CompactionOptions } from '../compaction/contract.ts';
import type { ExecutionEnvironment, SessionEndReason, SessionEvent } from '../types/index.ts';
import type { LivePolicy, RuleFiles } from '@attractor/policy';
import type { Approve, Circumstances, HeldProgram, SessionChanges } from '../contract/session.ts';
import type { ConfirmChanged } from './confirm-changed.ts';
import type { Leavable } from './leavable.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { AgentReport } from '../subagent/subagents.ts';
import type { Questions } from './questions.ts';
import type { Settings } from './settings.ts';
import type { SessionView } from '../conversation/view.ts';

/** A change that was asked for, and how. */
export type RequestedChange = {
  readonly event: Extract<SessionEvent, { readonly kind: 'CONFIGURED' }>;
  readonly by?: NonNullable<SessionChanges['by']>;
};

/** What the steps of the loop share. They read the view; only the events that they yield change it. */
export type Run = {
  readonly sessionId: string;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly approve: Approve | undefined;
  readonly policy: LivePolicy | undefined;
  readonly ruleFiles: RuleFiles | undefined;
  readonly beforeChange: ((toolName: string) => Promise<void>) | undefined;
  readonly confirmStart: (() => Promise<void>) | undefined;
  readonly compaction: CompactionOptions | undefined;
  readonly memoryFile: string | undefined;
  readonly saidMeanwhile: (() => string | null) | undefined;
  readonly circumstances: Circumstances;
  /** When the model last answered, in milliseconds; null: never. */
  readonly respondedAt: () => number | null;
  readonly questions: Questions;
  readonly hooks: SessionHooks | undefined;
  readonly confirmChanged: ConfirmChanged;
  /** Programs of tools that wait until a person lets their changed files run. */
  readonly held: () => ReadonlyArray<HeldProgram>;
  /** Waits for an agent that works beside the conversation; null: none does. */
  readonly nextReport: () => Promise<AgentReport | null>;
  readonly signal: AbortSignal;
  readonly leavable: Leavable;
  /** Whether a person, or something that was read, named this URL, in this session or in the one that gave it its task. */
  readonly isMentioned: (url: string) => boolean;
  readonly view: () => SessionView;
  /** The calls of the last reply as the model made them; the view has them without secrets. */
  readonly meant: () => ReadonlyArray<ToolCallPart>;
  /** Changes only by CONFIGURED events. */
  readonly settings: () => Settings;
  /** Takes the next requested change that is not recorded yet. */
  readonly nextChange: () => RequestedChange | null;
  readonly buildPrompt: () => Promise<string>;
  /** Null while the session may go on. */
  readonly ending: () => SessionEndReason | null;
  /** Closes the session once the step that calls it has returned. */
  readonly close: () => void;
  /** The same, with the error as the reason. */
  readonly fail: (error: Error) => void;
};
