import { defined, isRecord } from '@attractor/base';
import { askPerson } from '../ask-person.ts';
import { isRunMode } from '../run-modes.ts';
import { startRun } from '../start-run.ts';
import { stopRun } from '../stop-run.ts';
import {
  appendEvents,
  askOf,
  findRun,
  lastJudgedPlan,
  listArtifacts,
  listCriteria,
  listRuns,
  type PendingPayload,
  planIn,
  type PromptType,
  type Task,
  type Tx,
} from '@attractor/store';
import { advancePhase, currentPhase, executeSplit } from './phase-actions.ts';
import { SCM_ACTIONS } from './scm-actions.ts';
import type { TransitionAction, ActionContext, ActionParams } from './action.ts';

export const ACTIONS: Readonly<Record<string, TransitionAction>> = {
  start_agent: startAgent,
  stop_agent: stopAgent,
  start_phase_agent: async (context, params) => {
    const phase = await currentPhase(context);
    await startAgent(context, { mode: 'implement', ...params, phaseId: phase.id, phase: phase.name });
  },
  start_pr_review: (context, params) => startAgent(context, { ...params, mode: 'review' }),
  advance_phase: advancePhase,
  execute_split: executeSplit,
  ...SCM_ACTIONS,
  create_prompt: createPrompt,
  inject_payload_context: async (context) => {
    const { task } = context;
    if (task.pendingPayload === null) throw new Error('There is no answer that the next agent could be told');
    await note(context, 'payload.injected', 'The next agent is told the answer', {
      pendingPayload: task.pendingPayload,
    });
  },
  notify: async (context, params) =>
    note(context, 'notification.raised', textParam(params, 'title') ?? context.transition.label, {
      notificationType: textParam(params, 'notificationType') ?? null,
    }),
  log_activity: async (context, params) =>
    note(context, 'activity.logged', textParam(params, 'message') ?? context.transition.label),
};

function textParam(params: ActionParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

async function startAgent({ tx, task, defaultAgentType, actor }: ActionContext, params: ActionParams): Promise<void> {
  const mode = isRunMode(params['mode']) ? params['mode'] : 'implement';
  await startRun(tx, { task, mode, hookParams: params, overrides: {}, defaultAgentType, actor });
}

async function stopAgent({ tx, task, actor }: ActionContext): Promise<void> {
  for (const run of await listRuns(tx, { taskId: task.id, status: 'running' })) await stopRun(tx, run, actor);
}

/** What a hook may ask. */
export const PROMPTS_OF_HOOKS = [
  'question',
  'options',
  'plan_approval',
  'review',
  'split_proposal',
] as const satisfies ReadonlyArray<PromptType>;

/** `params.answers` maps a person's decision to the next status; `previous` is the status that the task came from. */
async function createPrompt(context: ActionContext, params: ActionParams): Promise<void> {
  const { tx, task, runId, actor } = context;
  const type = PROMPTS_OF_HOOKS.find((known) => known === params['type']);
  if (type === undefined) throw new Error(`create_prompt needs a type: one of ${PROMPTS_OF_HOOKS.join(', ')}`);
  const subject = await promptSubject(context, type);
  const answers = mapValues(params['answers'], (target) => (target === 'previous' ? context.from : target));
  const title = `${textParam(params, 'title') ?? context.transition.label}: ${task.title}`;
  const run = runId === null ? null : await findRun(tx, runId);
  const given = { ...subject, ...(params['part'] === true ? { part: true } : {}), answers };
  const ask = type === 'split_proposal' ? askOf(type, given) : askOf(type, given);
  await askPerson(
    tx,
    { taskId: task.id, runId: run?.id ?? null, key: null, title, ...ask },
    { projectId: task.projectId, actor },
  );
}

async function promptSubject(
  { task, payload, tx, runId }: ActionContext,
  type: PromptType,
): Promise<Record<string, unknown>> {
  if (type === 'plan_approval') return { plan: task.plan, data: planIn(task.plan) };
  if (type !== 'review') return { ...asFields(payload) };
  const run = runId === null ? null : await findRun(tx, runId);
  const { proposedPhases } = asFields(payload);
  return {
    ...defined({ proposedPhases }),
    branch: run?.branch ?? null,
    ...defined({ head: await shownHead(tx, task) }),
    ...defined({ criteria: await shownCriteria(tx, task) }),
    ...(await shownPlan(tx, { task, runId })),
    checks:
      run?.checks.map(({ name, phase, passed, commit, expected }) => ({
        name,
        phase,
        passed,
        commit,
        ...defined({ expected }),
      })) ?? [],
  };
}

/** How the work that is shown compares with its plan; nothing for a task without one. */
async function shownPlan(tx: Tx, { task, runId }: { readonly task: Task; readonly runId: string | null }) {
  const judged = await lastJudgedPlan(tx, task.id);
  return judged === null || judged.runId !== runId ? {} : { todo: judged.items, deviations: judged.deviations };
}

/** Undefined for a task that has none. */
async function shownCriteria(tx: Tx, task: Task) {
  const criteria = await listCriteria(tx, task);
  if (criteria.length === 0) return undefined;
  return criteria.map(({ number, text, state, detail }) => ({ number, text, state, detail }));
}

/** The last commit of the change that people look at. */
async function shownHead(tx: Tx, { id }: Task): Promise<string | undefined> {
  const diff = (await listArtifacts(tx, id)).findLast(({ type }) => type === 'diff');
  const head = diff?.metadata['headCommit'];
  return typeof head === 'string' ? head : undefined;
}

function mapValues(value: unknown, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(asFields(value)).map(([key, target]) => [key, change(String(target))]));
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value)) : {};
}

async function note(
  { tx, task, actor, runId }: ActionContext,
  type: 'payload.injected' | 'notification.raised' | 'activity.logged',
  summary: string,
  more: { readonly pendingPayload?: PendingPayload; readonly notificationType?: string | null } = {},
): Promise<void> {
  await appendEvents(tx, [
    { projectId: task.projectId, taskId: task.id, runId, type, summary, data: { title: task.title, ...more }, actor },
  ]);
}
