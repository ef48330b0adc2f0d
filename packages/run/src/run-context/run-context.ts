import type { Agent, AgentConfig, AgentMessage, AgentRunResult, OutcomeChoice } from '@attractor/adapters';
import type { GitPerson } from '@attractor/git';
import type { SessionSetup } from '@attractor/settings';
import type { Outbox, Repository, Worktree } from '@attractor/repository';
import type {
  AgentRun,
  CheckResult,
  Claim,
  LiveDelta,
  Manner,
  NewEvent,
  PipelineDefinition,
  Project,
  RunRequest,
  RunStep,
  Store,
  Task,
  ReportedEvent,
  Tx,
} from '@attractor/store';
import type { ConfigOrigins } from '@attractor/project-config';
import type { Confine, ReadRunSetup } from './confinement.ts';
import type { Slot } from './slot.ts';

/** What runs need from outside; the same for all runs of a process. */
export type RunServices = {
  readonly store: Store;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly home: string;
  /** The part of the machine's environment that commands and agents may see. */
  readonly env: Readonly<Record<string, string>>;
  /** The whole environment, for agents that are programs: each gets the variables that its definition names. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly author: GitPerson;
  readonly confine: Confine;
  /** Absent: there is no setup for any run. */
  readonly readSetup?: ReadRunSetup;
  readonly defaultAgentType: string;
  /** Live text, for everyone who watches. */
  readonly live: {
    readonly send: (delta: LiveDelta) => void;
    readonly settle: (runId: string, message: AgentMessage) => void;
    readonly forget: (runId: string) => void;
  };
  /** Carries out what leaves the database: pushes, pull requests, comments. */
  readonly outbox: Pick<Outbox, 'settle'>;
  /** Values that must not be stored or shown, wherever they come from. */
  readonly secrets: ReadonlyArray<string>;
  /** How long an agent may be silent before it is reported. Default: five minutes. */
  readonly stallNoticeMs?: number;
  /** How long an agent that waits for a person stays in memory, without a slot, before the run is left to its answer. Default: five seconds. */
  readonly leaveAfterMs?: number;
  /** How long an agent may take to repair its work or to name its outcome. Default: five minutes. */
  readonly repairMs?: number;
};

/** The result of each step. Saved with the run, so that the next worker continues from it. */
export type StepResults = {
  readonly prepare: {
    readonly repository: Repository;
    readonly worktree: Worktree;
    readonly baseChecks: ReadonlyArray<CheckResult>;
    /** Files that git was told to overlook, such as by the project's set-up. Absent: none. */
    readonly overlooked?: ReadonlyArray<string>;
  };
  readonly context: {
    readonly prompt: string;
    readonly outcomes: ReadonlyArray<OutcomeChoice>;
    /** The numbers of the task's acceptance criteria, as the agent was told them. */
    readonly criteria?: ReadonlyArray<number>;
    /** The numbers of what the plan says is to be done. */
    readonly todo?: ReadonlyArray<number>;
    /** The same in words: the agent's own list begins with them. */
    readonly steps?: ReadonlyArray<string>;
  };
  readonly configure: {
    readonly agentType: string;
    readonly config: AgentConfig;
    readonly origins: ConfigOrigins;
  };
  readonly execute: AgentExchange;
  readonly monitor: { readonly endedBy: AgentExchange['endedBy'] };
  readonly parse: {
    readonly outcome: string;
    readonly payload: unknown;
    readonly source: 'tool' | 'markers' | 'inferred';
    readonly talk: AgentExchange;
  };
  readonly validate: {
    readonly outcome: string;
    readonly payload: unknown;
    readonly talk: AgentExchange;
    readonly head: string;
    /** What the search for secrets found in the added lines; absent if it did not take place. */
    readonly scan?: 'passed' | 'failed';
  };
  readonly artifacts: { readonly collected: number };
  readonly trigger: { readonly status: string };
  readonly cleanup: Readonly<Record<string, never>>;
};

/**
 * One exchange with the agent and why it ended. `limit` means a limit of the exchange itself, smaller than the run's; the work done until
 * then counts. `interrupted` is never the last word of a run: the agent is called again with what a person said.
 */
export type AgentExchange = {
  readonly result: AgentRunResult;
  readonly endedBy: 'agent' | 'timeout' | 'limit' | 'cancelled' | 'budget' | 'interrupted';
};

export type StepFailure = {
  readonly code:
    | 'cancelled'
    | 'timeout'
    | 'budget'
    | 'agent_failed'
    | 'checks_failed'
    | 'no_outcome'
    | 'invalid_outcome'
    | 'environment'
    | 'worktree_gone'
    | 'unexpected'
    | 'poison';
  readonly message: string;
  /** The agent's own code for its failure, such as `authentication`. */
  readonly agentCode?: string;
  /** Whether the agent says that a retry may help. */
  readonly retryable?: boolean;
  /** How long the provider asked us to wait. */
  readonly retryAfterMs?: number;
};

/**
 * `run`, `events` and `commit` are written in the transaction that saves the step: all of them or none. `close` also changes
 * the run, by that transaction's time.
 */
export type StepOutcome<Result> = {
  readonly run?: Partial<AgentRun>;
  readonly close?: (at: string) => Partial<AgentRun>;
  readonly events?: ReadonlyArray<NewEvent>;
  readonly commit?: (tx: Tx, run: AgentRun) => Promise<void>;
  /** A failure that a later step judges: by then it is too late to have the step again. */
  readonly endedBy?: StepFailure | null;
} & (
  | { readonly result: Result; readonly failure?: never }
  | { readonly failure: StepFailure; readonly result?: never }
);

/** One run while it is worked on here. `state` is what the database says; it changes only after a commit. */
export type RunContext = {
  readonly services: RunServices;
  readonly claim: Claim;
  readonly task: Task;
  readonly project: Project;
  readonly pipeline: PipelineDefinition;
  readonly request: RunRequest;
  readonly state: {
    run: AgentRun;
    results: Partial<StepResults>;
    finished: Set<RunStep>;
    failure: StepFailure | null;
    /** The step whose start was told together with the end of the one before it. */
    started: RunStep | null;
    /** Since it was claimed: earlier fruitless claims no longer count. */
    hasProgress: boolean;
    /** The worktree was made here from what another machine had saved. */
    isMoved: boolean;
  };
  /** Aborted when this process has to give up the run: shutdown or a lost lease. Nothing is recorded then. */
  readonly letGo: AbortSignal;
  /** Aborted when a person asked to stop the run. */
  readonly cancel: AbortSignal;
  /** The run's place among those that work. */
  readonly slot: Slot;
  /**
   * Looks whether the run is still ours, and whether a person asked to stop it; throws `LetGo` if another worker has it. Called before a
   * worktree is changed: a process that slept or waited long may have lost the run, and its worktree belongs to another worker, perhaps to
   * another run. Writes to the database are fenced anyway.
   */
  readonly look: () => Promise<void>;
  /** Refused if another worker has the run by now. `manner` as in `Store.transact`. */
  readonly transact: <Value>(work: (tx: Tx) => Promise<Value>, manner?: Manner) => Promise<Value>;
  /** The setup of this run, read once; null when there is none. */
  readonly readSetup: () => Promise<SessionSetup | null>;
  /** Called before a step is saved: puts the work where another machine finds it, and tells why it could not. */
  readonly carry: { work: (prepared?: StepResults['prepare']) => Promise<string | null>; stop: () => Promise<void> };
};

/** Thrown when this process must stop working on a run. The next worker finds everything that was committed. */
export class LetGo extends Error {
  override readonly name = 'LetGo';
}

/** Thrown when the run waits for answers to these prompts and nothing of it has to stay in memory. */
export class LeftWaiting extends LetGo {
  readonly promptIds: ReadonlyArray<string>;
  constructor(promptIds: ReadonlyArray<string>) {
    super('waits for a person');
    this.promptIds = promptIds;
  }
}

export function resultOf<Step extends RunStep>(context: RunContext, step: Step): StepResults[Step] {
  const result = context.state.results[step];
  if (result === undefined) throw new Error(`Step ${step} has no result yet`);
  return result;
}

export function eventOf(context: RunContext, event: ReportedEvent & { readonly by?: 'agent' | 'system' }): NewEvent {
  const { by = 'system', ...rest } = event;
  const { run } = context.state;
  const actor =
    by === 'agent'
      ? ({ type: 'agent', name: run.agentType, runId: run.id } as const)
      : ({ type: 'system', runId: run.id } as const);
  return { ...rest, projectId: run.projectId, taskId: run.taskId, runId: run.id, actor };
}
