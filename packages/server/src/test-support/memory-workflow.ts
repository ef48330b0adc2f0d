import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openPlatform,
  unconfined,
  type Actor,
  type AgentRun,
  type Artifact,
  type LiveDelta,
  type PipelineDefinition,
  type Platform,
  type PlatformEvent,
  type PlatformWorkflow,
  type Project,
  type Prompt,
  type RawEvent,
  readEvent,
  type Refusal,
  type Result,
  type Task,
  type Workflow,
} from '@attractor/platform';

import { type RawPrompt, readPrompt } from '@attractor/store/types';

/**
 * A workflow in memory for tests of what is built on it: one log, values put by appending events that carry them. Everything else comes
 * from a real platform, opened once for a test file on its own folder, that nobody works in.
 */
export type MemoryWorkflow = PlatformWorkflow & {
  readonly append: (event: NewEvent) => PlatformEvent;
  readonly tell: (delta: LiveDelta) => void;
  /** How many listeners of either type are registered. */
  readonly listeners: () => number;
  readonly log: ReadonlyArray<PlatformEvent>;
};

export type NewEvent = Pick<RawEvent, 'type' | 'summary' | 'data'> &
  Partial<Pick<RawEvent, 'projectId' | 'taskId' | 'runId' | 'category' | 'level' | 'actor' | 'at'>>;

const SYSTEM: Actor = { type: 'system', name: 'test' };

/** Passing `log` again simulates a restart: the same history, nobody listening. */
export async function createMemoryWorkflow(log: PlatformEvent[] = []): Promise<MemoryWorkflow> {
  const rest = await openRest();
  const hints = new Set<(seq: number) => void>();
  const deltas = new Set<(delta: LiveDelta) => void>();
  const append = (event: NewEvent): PlatformEvent => {
    const seq = (log.at(-1)?.seq ?? 0) + 1;
    const at = event.at ?? new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    const whole = readEvent({ ...DEFAULTS, ...event, seq, at, id: `evt_${String(seq).padStart(12, '0')}` });
    log.push(whole);
    for (const hint of hints) hint(seq);
    return whole;
  };
  return {
    ...rest,
    ...reads(log),
    ...commands(log, append),
    append,
    log,
    tell: (delta) => deltas.forEach((listener) => listener(delta)),
    listeners: () => hints.size + deltas.size,
    subscribe: (listener) => register(hints, listener),
    onDelta: (listener) => register(deltas, listener),
  };
}

let opened: Promise<Platform> | null = null;

async function openRest(): Promise<PlatformWorkflow> {
  opened ??= openEmptyPlatform();
  return (await opened).workflow;
}

async function openEmptyPlatform(): Promise<Platform> {
  const home = mkdtempSync(join(tmpdir(), 'attractor-server-'));
  const platform = await openPlatform({ home, agents: [], env: {}, confine: unconfined, concurrency: 0 });
  if (!platform.ok) throw new Error(platform.error.message);
  return platform.value;
}

const DEFAULTS = {
  projectId: 'prj_1',
  taskId: null,
  runId: null,
  category: 'lifecycle',
  level: 'info',
  actor: SYSTEM,
} as const;

function register<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type CommandName =
  | 'createProject'
  | 'trustConfig'
  | 'createTask'
  | 'transition'
  | 'startAgent'
  | 'stopAgent'
  | 'answerPrompt';
type ReadName =
  | 'listProjects'
  | 'getProject'
  | 'listTasks'
  | 'getTask'
  | 'getPipeline'
  | 'validTransitions'
  | 'getRun'
  | 'listRuns'
  | 'listArtifacts'
  | 'listPrompts'
  | 'getPrompt'
  | 'events'
  | 'lastSeq';

function reads(log: ReadonlyArray<PlatformEvent>): Pick<Workflow, ReadName> {
  const projects = () => latest(log, 'project', isProject);
  const tasks = () => latest(log, 'task', isTask);
  const runs = () => latest(log, 'run', isRun);
  const prompts = () => latest(log, 'prompt', isPrompt);
  const one = <Item extends { id: string }>(items: ReadonlyArray<Item>, id: string) =>
    items.find((item) => item.id === id) ?? null;
  return {
    listProjects: async () => projects(),
    getProject: async (id) => one(projects(), id),
    listTasks: async (filter) => tasks().slice(0, filter?.limit ?? 1000),
    getTask: async (id) => one(tasks(), id),
    getPipeline: async (id) => (id === CODING_PIPELINE.id ? CODING_PIPELINE : null),
    validTransitions: async (taskId) => {
      const status = one(tasks(), taskId)?.status;
      const from = CODING_PIPELINE.transitions.filter((step) => step.from === status || step.from === '*');
      return from.map((transition) => ({ transition, allowed: true, blockedBy: [] }));
    },
    getRun: async (id) => one(runs(), id),
    listRuns: async (filter) => runs().filter((run) => filter.taskId === undefined || run.taskId === filter.taskId),
    listArtifacts: async (taskId) => latest(log, 'artifact', isArtifact).filter((item) => item.taskId === taskId),
    listPrompts: async (filter) =>
      prompts()
        .filter((prompt) => filter?.taskId === undefined || prompt.taskId === filter.taskId)
        .filter((prompt) => filter?.status === undefined || prompt.status === filter.status),
    getPrompt: async (id) => one(prompts(), id),
    events: async (filter) =>
      log
        .filter((event) => event.seq > (filter.after ?? 0))
        .filter((event) => filter.taskId === undefined || event.taskId === filter.taskId)
        .filter((event) => filter.runId === undefined || event.runId === filter.runId)
        .filter((event) => filter.projectId === undefined || event.projectId === filter.projectId)
        .slice(0, filter.limit ?? 1000),
    lastSeq: async () => log.at(-1)?.seq ?? 0,
  };
}

/** The newest value of each id that the log carries under a name, in order of first appearance. */
function latest<Item extends { readonly id: string }>(
  log: ReadonlyArray<PlatformEvent>,
  name: string,
  is: (value: unknown) => value is Item,
): ReadonlyArray<Item> {
  const items = new Map<string, Item>();
  for (const event of log) {
    const item: unknown = Reflect.get(event.data, name);
    if (is(item)) items.set(item.id, item);
  }
  return [...items.values()];
}

const isProject = (value: unknown): value is Project => hasId(value);
const isTask = (value: unknown): value is Task => hasId(value);
const isRun = (value: unknown): value is AgentRun => hasId(value);
const isPrompt = (value: unknown): value is Prompt => hasId(value);
const isArtifact = (value: unknown): value is Artifact => hasId(value);

function hasId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function commands(log: ReadonlyArray<PlatformEvent>, append: MemoryWorkflow['append']): Pick<Workflow, CommandName> {
  const read = reads(log);
  const missing = (what: string): Result<never> => refused('not_found', `There is no ${what}.`);
  return {
    createProject: async (input, actor) => {
      const project: Project = { ...newProject(input.path), name: input.name ?? 'sample', id: `prj_${log.length + 1}` };
      append({
        type: 'project.created',
        summary: `Project ${project.name}`,
        projectId: project.id,
        data: { project },
        actor,
      });
      return { ok: true, value: project };
    },
    trustConfig: async () => missing('configuration to trust'),
    createTask: async (input, actor) => {
      if ((await read.getProject(input.projectId)) === null) return missing(`project ${input.projectId}`);
      const id = `tsk_${String(log.length + 1).padStart(4, '0')}` as const;
      const task = newTask({ id, title: input.title, description: input.description ?? '' });
      append({ type: 'task.created', summary: `Task created: ${task.title}`, taskId: id, data: { task }, actor });
      return { ok: true, value: task };
    },
    transition: async ({ taskId, to }, actor) => {
      const task = await read.getTask(taskId);
      if (task === null) return missing(`task ${taskId}`);
      if (!CODING_PIPELINE.statuses.some((status) => status.id === to))
        return refused('blocked', `Status ${to} cannot be reached from ${task.status}.`);
      const moved = { ...task, status: to, version: task.version + 1 };
      append({
        type: 'status.changed',
        category: 'transition',
        summary: `${task.status} → ${to}`,
        taskId,
        data: { task: moved },
        actor,
      });
      return { ok: true, value: moved };
    },
    startAgent: async ({ taskId, mode }, actor) => {
      if ((await read.getTask(taskId)) === null) return missing(`task ${taskId}`);
      const run = newRun({ id: `run_${String(log.length + 1).padStart(4, '0')}`, taskId: asTaskId(taskId), mode });
      append({
        type: 'agent.started',
        category: 'agent',
        summary: `${mode} run started`,
        taskId,
        runId: run.id,
        data: { run },
        actor,
      });
      return { ok: true, value: run };
    },
    stopAgent: async (runId, actor) => {
      const run = await read.getRun(runId);
      if (run === null) return missing(`run ${runId}`);
      if (run.status !== 'running') return refused('conflict', `Run ${runId} is over already.`);
      const stopped: AgentRun = { ...run, status: 'cancelled', finishedAt: new Date().toISOString() };
      append({
        type: 'agent.cancelled',
        category: 'agent',
        summary: 'Run stopped',
        taskId: run.taskId,
        runId,
        data: { run: stopped },
        actor,
      });
      return { ok: true, value: stopped };
    },
    answerPrompt: async ({ promptId, contentHash, answer }, actor) => {
      const prompt = await read.getPrompt(promptId);
      if (prompt === null) return missing(`question ${promptId}`);
      if (prompt.status !== 'pending') return refused('conflict', 'This question was answered already.');
      if (contentHash !== undefined && contentHash !== prompt.contentHash)
        return refused('conflict', 'What is asked has changed. Read it again.');
      const { plan, ...given } = answer;
      const stored = typeof plan === 'string' ? { ...given, plan } : given;
      const answered: Prompt = { ...prompt, status: 'answered', answer: stored, answeredAt: new Date().toISOString() };
      append({
        type: 'prompt.answered',
        summary: `Answered: ${answer.decision}`,
        taskId: prompt.taskId,
        runId: prompt.runId,
        data: { prompt: answered },
        actor,
      });
      return { ok: true, value: answered };
    },
  };
}

function refused(code: Refusal['code'], message: string): Result<never> {
  return { ok: false, error: { code, message } };
}

function asTaskId(id: string): Task['id'] {
  return `tsk_${id.replace(/^tsk_/, '')}`;
}

const CREATED = '2026-01-01T00:00:00.000Z';

export function newProject(path: string): Project {
  return {
    id: 'prj_1',
    key: 'SAM',
    name: 'sample',
    path,
    description: '',
    defaultBranch: 'main',
    trustedConfigHash: null,
    config: {},
    createdAt: CREATED,
  };
}

export function newTask(given: Partial<Task> & Pick<Task, 'id' | 'title'>): Task {
  return {
    key: `SAM-${given.id.replace('tsk_', '')}`,
    projectId: 'prj_1',
    description: '',
    status: 'open',
    pipelineId: 'coding',
    pipelineVersion: 1,
    priority: 'medium',
    size: 'm',
    complexity: 'medium',
    tags: [],
    plan: null,
    parentTaskId: null,
    sortOrder: 0,
    acceptanceCriteria: [],
    pendingPayload: null,
    sourceUrl: null,
    version: 1,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...given,
  };
}

export function newRun(given: Partial<AgentRun> & Pick<AgentRun, 'id' | 'taskId'>): AgentRun {
  return {
    key: `SAM-1.${given.id.replace('run_', '')}`,
    projectId: 'prj_1',
    agentType: 'native',
    mode: 'implement',
    status: 'running',
    model: 'claude-sonnet-4-5',
    outcome: null,
    payload: null,
    tokenUsage: null,
    checks: [],
    branch: null,
    worktree: null,
    durationMs: null,
    error: null,
    startedAt: CREATED,
    finishedAt: null,
    ...given,
  };
}

export function newPrompt(given: Partial<RawPrompt> & Pick<RawPrompt, 'id' | 'taskId' | 'type'>): Prompt {
  return readPrompt({
    key: `SAM-1.q${given.id.replace('prm_', '')}`,
    runId: null,
    title: 'A question',
    payload: {},
    contentHash: 'hash',
    status: 'pending',
    answer: null,
    createdAt: CREATED,
    answeredAt: null,
    ...given,
  });
}

const STATUSES = [
  ['open', 'Open', 'backlog'],
  ['clarifying', 'Clarifying', 'active'],
  ['planning', 'Planning', 'active'],
  ['plan_review', 'Plan review', 'waiting'],
  ['implementing', 'Implementing', 'active'],
  ['pr_review', 'Review', 'review'],
  ['needs_info', 'Needs information', 'waiting'],
  ['done', 'Done', 'done'],
  ['failed', 'Failed', 'blocked'],
  ['cancelled', 'Cancelled', 'done'],
] as const;

const CODING_PIPELINE: PipelineDefinition = {
  id: 'coding',
  version: 1,
  name: 'Coding',
  isDefault: true,
  statuses: STATUSES.map(([id, label, category], position) => ({
    id,
    label,
    category,
    position,
    color: id === 'cancelled' ? 'gray' : 'green',
  })),
  transitions: [
    { id: 'start', from: 'open', to: 'planning', label: 'Start', trigger: { type: 'manual' } },
    { id: 'retry', from: 'failed', to: 'planning', label: 'Retry', trigger: { type: 'manual' } },
    { id: 'accept', from: 'pr_review', to: 'done', label: 'Accept', trigger: { type: 'manual' } },
    { id: 'cancel', from: '*', to: 'cancelled', label: 'Cancel', trigger: { type: 'manual' } },
  ],
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
};
