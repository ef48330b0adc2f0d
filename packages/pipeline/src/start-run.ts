import { newId } from '@attractor/base/id';
import { withdrawPrompts } from './ask-person.ts';
import { leaveSplit } from './leave-split.ts';
import {
  type Actor,
  type AgentRun,
  type AgentRunMode,
  appendEvents,
  findProject,
  findTaskOverrides,
  insertRun,
  type Project,
  putJob,
  type RetryNote,
  type RunOverrides,
  type Task,
  transactionTime,
  type Tx,
} from '@attractor/store';

export type RunStart = {
  readonly task: Task;
  readonly mode: AgentRunMode;
  readonly hookParams: Readonly<Record<string, unknown>>;
  readonly overrides: RunOverrides;
  readonly defaultAgentType: string;
  readonly actor: Actor;
  /** Retries what an earlier run did not finish, not before an ISO time. */
  readonly retry?: { readonly note: RetryNote; readonly notBefore: string };
};

/**
 * The run, its job and its first event, in the caller's transaction: either all of them exist or none. The database itself refuses a second
 * running run of a task. Whoever was asked whether an agent shall work on need not answer any more.
 */
export async function startRun(tx: Tx, start: RunStart): Promise<AgentRun> {
  const overrides: RunOverrides = { ...(await findTaskOverrides(tx, start.task.id)), ...start.overrides };
  const { hookParams, retry, task, actor } = start;
  const project = await findProject(tx, task.projectId);
  const usual = project?.config.defaultAgentType ?? start.defaultAgentType;
  await withdrawPrompts(
    tx,
    { taskId: task.id, only: ({ payload }) => 'again' in payload && payload.again !== undefined },
    { projectId: task.projectId, actor },
  );
  await leaveSplit(tx, task, actor);
  const run = await insertRun(
    tx,
    newRun({ ...start, defaultAgentType: usual }, { overrides, startedAt: transactionTime(tx) }),
    {
      hookParams,
      overrides,
      ...(retry === undefined ? {} : { retry: retry.note }),
    },
  );
  await putJob(tx, run.id, retry === undefined ? {} : { notBefore: retry.notBefore });
  await appendEvents(tx, [
    {
      projectId: run.projectId,
      taskId: run.taskId,
      runId: run.id,
      type: 'agent.started',
      summary: `${agentNamed(start, { overrides, project })} was started in ${run.mode} mode${retry === undefined ? '' : `, attempt ${retry.note.attempt}`}`,
      data: { run },
      actor: start.actor,
    },
  ]);
  return run;
}

function newRun(
  start: RunStart,
  { overrides, startedAt }: { readonly overrides: RunOverrides; readonly startedAt: string },
): Omit<AgentRun, 'key'> {
  const note = start.retry?.note;
  return {
    id: newId('run'),
    taskId: start.task.id,
    projectId: start.task.projectId,
    agentType: chosenAgent(start.hookParams, overrides) ?? start.defaultAgentType,
    mode: start.mode,
    status: 'running',
    model: overrides.model ?? textParam(start.hookParams, 'model') ?? '',
    outcome: null,
    payload: null,
    tokenUsage: null,
    checks: [],
    branch: null,
    worktree: null,
    durationMs: null,
    error: null,
    startedAt,
    finishedAt: null,
    ...(note === undefined ? {} : { retry: { attempt: note.attempt, of: note.of } }),
  };
}

function textParam(params: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

function chosenAgent(hookParams: RunStart['hookParams'], overrides: RunOverrides): string | undefined {
  return overrides.agentType ?? textParam(hookParams, 'agentType');
}

type Choices = { readonly overrides: RunOverrides; readonly project: Project | null };

/** Which agent is the usual one, files of the person and of the repository may say: that is known only when the run is configured. */
function agentNamed({ hookParams }: RunStart, { overrides, project }: Choices): string {
  const named = chosenAgent(hookParams, overrides) ?? project?.config.defaultAgentType;
  return named === undefined ? 'An agent' : `Agent ${named}`;
}
