import { join, resolve } from 'node:path';
import { defined, done } from '@attractor/base';
import type { Agent } from '@attractor/adapters';
import { childVariables, keepHeapSmall, startProgramsElsewhere } from '@attractor/system';
import type { GitPerson } from '@attractor/git';
import { createRedactor, isSecretVariable, secretValues } from '@attractor/redact';
import {
  attemptGate,
  budgetGate,
  type RunEstimate,
  providerLimitGate,
  type Confine,
  type ReadRunSetup,
  putBackFiles,
  workOnRun,
} from '@attractor/run';
import { afterEffect } from './landing/after-effect.ts';
import { createProof } from './landing/prove-merge.ts';
import { startNotifier } from '@attractor/notify';
import {
  createOutbox,
  type Cleaning,
  machineGate,
  type Outbox,
  reconcilePullRequests,
  removeOldScratch,
  type ScmServices,
} from '@attractor/repository';
import { workerWithOutbox } from './queue/worker-with-outbox.ts';
import type { Worker } from './queue/local.ts';
import { openQueue } from './queue/open-queue.ts';
import { readConcurrency } from './queue/read-concurrency.ts';
import type { Queue } from './queue/queue.ts';
import {
  type AgentRun,
  createDeltaFan,
  openStore,
  refuseOnDatabaseError,
  type Result,
  type StartGate,
  type Store,
} from '@attractor/store';
import { openSupervision } from './workflow/supervise/open-supervision.ts';
import { closedCarriers } from './supervisor/closed-carriers.ts';
import { outsideMerges } from './supervisor/outside-merges.ts';
import { settledSplits } from './supervisor/settled-splits.ts';
import { readSupervisorChoices, type SupervisorSettings } from './supervisor/settings.ts';
import { withKnownAgents } from './workflow/agents/named-agents.ts';
import { createWorkflow, type Workflow } from './workflow/workflow.ts';
import { rememberCalls } from './workflow/calls/call-once.ts';
import type { CallCommands } from './workflow/calls/contract.ts';
import { createMessageCommands } from './workflow/messages/commands.ts';
import type { MessageCommands } from './workflow/messages/contract.ts';
import { createNotifyCommands } from './workflow/notify/notify.ts';
import { createCheckCommands } from './workflow/checks/checks.ts';
import { saveBuiltInPipelines } from './workflow/pipelines/pipelines.ts';
import { createQueueCommands } from './workflow/queue/queue.ts';
import { createScmCommands } from './workflow/scm/scm.ts';
import { createSpendCommands } from './workflow/spend/spend.ts';
import type { CheckCommands } from './workflow/checks/contract.ts';
import type { NotifyCommands } from './workflow/notify/contract.ts';
import type { QueueCommands } from './workflow/queue/contract.ts';
import type { ScmCommands } from './workflow/scm/contract.ts';
import type { SpendCommands } from './workflow/spend/contract.ts';
import type { SuperviseCommands } from './workflow/supervise/contract.ts';
import { startSchedules } from './workflow/schedules/fire-schedules.ts';
import type { ScheduleCommands } from './workflow/schedules/contract.ts';
import { expiredPrompts } from './workflow/prompts/expired-prompts.ts';
import { createScheduleCommands } from './workflow/schedules/commands.ts';

export type PlatformOptions = {
  /** Where the database, the agents' journals and the trust in repositories are kept. */
  readonly home: string;
  /** A PostgreSQL server for the records instead of a file in the home folder, for more than one machine. */
  readonly databaseUrl?: string;
  readonly agents: ReadonlyArray<Agent>;
  /** Absent: the first agent. */
  readonly defaultAgentType?: string;
  /** How many runs this process works on at once. Default: `queue.concurrency`, or what suits the machine; 0 leaves all work to others. */
  readonly concurrency?: number;
  /** What this machine has, such as `gpu`. It takes runs that need nothing else. */
  readonly labels?: ReadonlyArray<string>;
  /** Which runs this process takes. Absent: all. */
  readonly accepts?: (run: AgentRun) => boolean;
  /** The machine's environment; agents and checks see only a named, harmless part of it (PATH, HOME …). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The sandbox for commands of agents and checks. There is no default: the caller has to decide. */
  readonly confine: Confine;
  /** What people wrote down for agents: settings, hooks, servers, skills. Absent: none of it is read. */
  readonly readSetup?: ReadRunSetup;
  /** The author of commits with what an agent left uncommitted. */
  readonly author?: GitPerson;
  /** How long an agent may be silent before the log says so. Default: five minutes. */
  readonly stallNoticeMs?: number;
  /** How long an agent that waits for a person stays in memory, without a slot, so that a quick answer costs nothing. Default: 5 s. */
  readonly leaveAfterMs?: number;
  /** How long an agent may take to repair its work. Default: five minutes. */
  readonly repairMs?: number;
  /** What a run is expected to cost while there are no figures for comparable runs. That much of the budget is reserved when it starts. */
  readonly runEstimate?: RunEstimate;
  /** Settings of the supervisor, or false to leave supervision to other processes. */
  readonly supervise?: false | Partial<SupervisorSettings>;
  /** Called with bugs that appear during work; the work itself is bounded and ends. */
  readonly onUnexpected?: (error: unknown) => void;
};

/** Every command and read of the platform: the contracts of all rooms together. */
export type PlatformWorkflow = Workflow &
  NotifyCommands &
  QueueCommands &
  ScheduleCommands &
  ScmCommands &
  SpendCommands &
  SuperviseCommands &
  MessageCommands &
  CallCommands &
  CheckCommands;

/**
 * The embedded platform: database, workflow and worker in one process. When opened again after a crash it continues every run that no
 * living process works on. `close` parks running runs; the next process that opens the platform continues them.
 */
export type Platform = {
  readonly workflow: PlatformWorkflow;
  readonly worker: Worker;
  readonly close: () => Promise<void>;
};

const AUTHOR: GitPerson = { name: 'Attractor Agent', email: 'agent@attractor.invalid' };

export async function openPlatform(options: PlatformOptions): Promise<Result<Platform>> {
  const { databaseUrl } = options;
  const opened = await openStore(databaseUrl === undefined ? { home: resolve(options.home) } : { databaseUrl });
  return opened.ok ? openPlatformOn(opened.value, options) : opened;
}

/** The platform on records that are already open. It closes them when it is closed, and also if opening it fails. */
export async function openPlatformOn(records: Store, options: PlatformOptions): Promise<Result<Platform>> {
  const home = resolve(options.home);
  const database = await openDatabase(records, options);
  if (!database.ok) return database;
  const { queue, store, calls } = database.value;
  const defaultAgentType = options.defaultAgentType ?? options.agents[0]?.type ?? 'native';
  const onUnexpected = (error: unknown): void => options.onUnexpected?.(error);
  const deltas = createDeltaFan(store.live);
  const forge = { store, home, hostEnv: options.env, author: options.author ?? AUTHOR };
  const outbox = openOutbox(forge, { ...options, defaultAgentType }, onUnexpected);
  const services = { ...forge, ...ofOptions(options), defaultAgentType, live: deltas, outbox };
  const supervision = openSupervision({
    ...forge,
    supervise: options.supervise ?? (options.concurrency === 0 ? false : await readSupervisorChoices(home)),
    more: {
      ...checksOfRemotes(forge),
      'expired-prompts': expiredPrompts(defaultAgentType),
      'settled-splits': settledSplits(defaultAgentType),
    },
    onUnexpected,
  });
  const worker = await queue.work({
    concurrency: options.concurrency ?? (await readConcurrency(home)),
    labels: options.labels ?? [],
    ...defined({ accepts: options.accepts }),
    gates: gatesOf(home, supervision.gate, options),
    defaultAgentType,
    work: (claim, letGo, slot) => workOnRun(services, { claim, letGo, slot }),
    onUnexpected: (_claim, error) => onUnexpected(error),
  });
  // A process that takes no runs also leaves schedules, effects and notifications to others.
  const isWorking = options.concurrency !== 0;
  if (isWorking) beginWork(outbox);
  const scheduler = isWorking ? startSchedules({ store, defaultAgentType, onUnexpected }) : null;
  const notifier = isWorking ? startNotifier({ store, home, env: options.env, onUnexpected }) : null;
  const workflow = {
    ...createWorkflow({ store, deltas, defaultAgentType, home, secrets: everySecret(options.env) }),
    ...createQueueCommands({ store }),
    ...createScheduleCommands({ store }),
    ...createScmCommands({ ...forge, outbox, defaultAgentType }),
    ...createSpendCommands({ store, defaultAgentType }),
    ...supervision.commands,
    ...calls,
    ...createMessageCommands(services),
    ...createCheckCommands(services),
  };
  return done({
    workflow: withReplies({ ...workflow, ...withKnownAgents(workflow, services) }, { store, home, env: options.env }),
    worker: workerWithOutbox(worker, outbox),
    close: async () => {
      await supervision.close();
      await scheduler?.stop();
      await worker.close();
      await queue.close();
      await outbox.close();
      await notifier?.close();
      await store.close();
    },
  });
}

/** In the order in which they are asked: what this machine lacks comes first. */
function gatesOf(home: string, health: StartGate, { runEstimate }: PlatformOptions): ReadonlyArray<StartGate> {
  return [machineGate(home), providerLimitGate, health, attemptGate, budgetGate(runEstimate)];
}

function checksOfRemotes(forge: Parameters<typeof reconcilePullRequests>[0]) {
  return {
    'closed-carriers': closedCarriers(forge.hostEnv),
    'outside-merges': outsideMerges(() => reconcilePullRequests(forge)),
  };
}

/** A run starts git many times, and from a process as large as this one each start is slow. It lives for days. */
function beginWork(outbox: Outbox): void {
  startProgramsElsewhere();
  keepHeapSmall();
  void removeOldScratch();
  outbox.start();
}

type Database = ReturnType<typeof rememberCalls> & { readonly queue: Queue };

/** The records with their queue and the built-in pipelines. */
async function openDatabase(records: Store, options: PlatformOptions): Promise<Result<Database>> {
  const queued = await openQueue(records, options);
  if (!queued.ok) {
    await records.close();
    return queued;
  }
  const queue = queued.value;
  const saved = await refuseOnDatabaseError(() => saveBuiltInPipelines(queue.store));
  if (saved.ok) return done({ queue, ...rememberCalls(queue.store) });
  await queue.close();
  await queue.store.close();
  return saved;
}

/** Merges are proven by the project's checks; those are stopped when it closes, and run again in the next process. */
function openOutbox(
  forge: ScmServices,
  options: PlatformOptions & { readonly defaultAgentType: string },
  onUnexpected: (error: unknown) => void,
): Outbox {
  const closing = new AbortController();
  const prove = createProof({ ...forge, ...ofOptions(options), signal: closing.signal });
  const { text: redact } = createRedactor({ secrets: secretValues(options.env) });
  const cleaning: Cleaning = {
    redact,
    putBack: ({ id, folder }) => putBackFiles(join(forge.home, 'runs', id), folder),
  };
  const onDone = afterEffect(options.defaultAgentType);
  const outbox = createOutbox({ ...forge, prove, cleaning, onDone, onUnexpected });
  return {
    ...outbox,
    close: () => {
      closing.abort();
      return outbox.close();
    },
  };
}

/** For what leaves the machine: also values that only look like secrets. */
function everySecret(env: PlatformOptions['env']): ReadonlyArray<string> {
  const alike = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretVariable(name, value) ? [value] : [],
  );
  return [...new Set([...secretValues(env), ...alike])];
}

/** What every run gets from the platform's options. */
function ofOptions(options: PlatformOptions) {
  return {
    agents: new Map(options.agents.map((agent) => [agent.type, agent])),
    env: childVariables('inherit_harmless', options.env),
    confine: options.confine,
    ...(options.readSetup === undefined ? {} : { readSetup: options.readSetup }),
    secrets: secretValues(options.env),
    ...defined({
      stallNoticeMs: options.stallNoticeMs,
      leaveAfterMs: options.leaveAfterMs,
      repairMs: options.repairMs,
    }),
  };
}

/** A reply that comes through a channel is judged like any other answer. */
function withReplies<Commands extends Pick<PlatformWorkflow, 'answerPrompt'>>(
  commands: Commands,
  place: Omit<Parameters<typeof createNotifyCommands>[0], 'answerPrompt'>,
): Commands & NotifyCommands {
  return { ...commands, ...createNotifyCommands({ ...place, answerPrompt: commands.answerPrompt }) };
}
