import { defined, done, failed, once } from '@attractor/base';
import { TASK_FIELDS } from '@attractor/facts';
import type { CodingSession, GivenAnswer, PlatformWorkflow, Prompt, PromptOf, Result } from '@attractor/platform';
import { z } from 'zod';
import { codingReplyAnswer, codingSessionAnswer } from './answers/coding.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { runOverrides } from './runs.ts';

/** The coding workflow for programs: a request in, checkpoints out. Nothing here waits for an agent; every answer tells how it stands. */
const at = {
  start: 'POST /coding/start',
  approve: 'POST /coding/:session_id/approve',
  session: 'GET /api/tasks/:id/session',
} as const;

const startCodingBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    request: z.string().trim().min(1).max(TASK_FIELDS.description.longest),
    /** Absent: the only project that the caller sees. */
    project_id: z.string().min(1).exactOptional(),
    /** Absent: `coding`. */
    pipeline: z.string().min(1).exactOptional(),
    /** The agent begins with the work. */
    skip_plan: z.boolean().exactOptional(),
    /** For every run of the session. */
    overrides: runOverrides().exactOptional(),
  }),
);

const approveBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    /** The plan that is approved: as it was shown, or as it shall be. */
    approved_plan: z
      .union([z.string().min(1).max(200_000), z.record(z.string(), z.unknown()).readonly()])
      .exactOptional(),
    /** Absent: `approve`; to a question, and to a plan in words ("approve, but skip the tests"): `answer`. */
    decision: z.enum(['approve', 'reject', 'changes', 'answer']).exactOptional(),
    /** The `content_hash` of the pending action. Whatever else is approved than a plan has to come with it. */
    content_hash: z.string().min(1).max(200).exactOptional(),
    message: z.string().max(100_000).exactOptional(),
    /** By the id of the question. */
    answers: z.record(z.string().min(1).max(200), z.string().max(20_000)).exactOptional(),
  }),
);

export type StartCodingBody = z.infer<ReturnType<typeof startCodingBody>>;
export type ApproveCodingBody = z.infer<ReturnType<typeof approveBody>>;

/** A session with what a caller asks first: does it go on, or at which checkpoint does it wait? */
export type CodingReply = CodingSession & {
  readonly status: 'running' | 'paused' | 'completed' | 'cancelled' | 'failed';
  readonly checkpoint: 'clarification' | 'plan_approval' | 'tool_approval' | null;
};

export type { CodingSession } from '@attractor/platform';

export function codingCalls(http: HttpOptions) {
  return {
    start: (body: StartCodingBody) => ask<CodingReply>(http, at.start, { body }),
    approve: (session_id: string, body: ApproveCodingBody) =>
      ask<CodingReply>(http, at.approve, { params: { session_id }, body }),
    session: (id: string) => ask<CodingSession>(http, at.session, { params: { id } }),
  };
}

export const codingRoutes = /* @__PURE__ */ once(() => ({
  start: route(at.start, {
    about: 'begin a coding session with a request, and go on until its first checkpoint',
    access: ['operator', 'named'],
    answers: codingReplyAnswer,
    body: startCodingBody,
    act: async ({ workflow, body, actor }) => {
      const project = await projectOf(workflow, body.project_id);
      if (!project.ok) return project;
      const { pipeline = 'coding', skip_plan: straight, overrides } = body;
      const wanted = { ...taskOf(body.request), projectId: project.value, pipelineId: pipeline };
      const task = await workflow.startCoding({ ...wanted, ...defined({ straight, overrides }) }, actor);
      return task.ok ? replyOf(workflow, task.value.id) : task;
    },
  }),
  approve: route(at.approve, {
    about: 'answer the checkpoint at which a coding session waits',
    access: ['operator', 'named'],
    answers: codingReplyAnswer,
    body: approveBody,
    act: async ({ workflow, params: { session_id: id }, body, actor }) => {
      const prompt = await waitingPrompt(workflow, id);
      if (!prompt.ok) return prompt;
      const answer = answerOf(prompt.value, body);
      if (!answer.ok) return answer;
      const { id: promptId, contentHash } = prompt.value;
      const command = { promptId, contentHash: body.content_hash ?? contentHash, answer: answer.value };
      const answered = await workflow.answerPrompt(command, actor);
      return answered.ok ? replyOf(workflow, id) : answered;
    },
  }),
  session: route(at.session, {
    about: 'show a task as a coding session: its stage, its plan, what waits and what was done',
    access: ['viewer', 'named'],
    answers: codingSessionAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.codingSession(id), `task ${id}`),
  }),
}));

async function projectOf(workflow: PlatformWorkflow, named: string | undefined): Promise<Result<string>> {
  if (named !== undefined) return done(named);
  const projects = await workflow.listProjects();
  const [only] = projects;
  if (only !== undefined && projects.length === 1) return done(only.id);
  const known = projects.map(({ key, name }) => `${key} (${name})`).join(', ');
  const message =
    only === undefined
      ? 'There is no project: make one with POST /api/projects, or `attractor projects create` in its folder.'
      : `Say which project is meant (project_id): ${known}.`;
  return failed({ code: 'invalid', message });
}

/** The first line is the title if it is short enough, and else its beginning. */
function taskOf(request: string): { readonly title: string; readonly description?: string } {
  const [first = ''] = request.split('\n');
  if (first.trim() === request && request.length <= LONGEST_TITLE) return { title: request };
  const title = first.length <= LONGEST_TITLE ? first.trim() : `${first.slice(0, LONGEST_TITLE - 1)}…`;
  return { title, description: request };
}

const LONGEST_TITLE = 200;

async function replyOf(workflow: PlatformWorkflow, id: string): Promise<Result<CodingReply>> {
  const session = found(await workflow.codingSession(id), `session ${id}`);
  if (!session.ok) return session;
  const { stage } = session.value;
  const [, checkpoint = null] = /^awaiting_(clarification|plan_approval|tool_approval)$/.exec(stage) ?? [];
  const status = stage === 'executing' ? 'running' : checkpoint === null ? (stage as CodingReply['status']) : 'paused';
  return done({ status, checkpoint: checkpoint as CodingReply['checkpoint'], ...session.value });
}

async function waitingPrompt(workflow: PlatformWorkflow, id: string): Promise<Result<Prompt>> {
  const session = found(await workflow.codingSession(id), `session ${id}`);
  if (!session.ok) return session;
  const { pending_action: pending, stage } = session.value;
  const prompt = pending === null || pending.prompt_id === null ? null : await workflow.getPrompt(pending.prompt_id);
  if (prompt !== null) return done(prompt);
  const message = `Nothing waits for an answer: the session is ${stage}. See: attractor status --session ${id}`;
  return failed({ code: 'conflict', message, detail: { session: session.value } });
}

/** What the body says, as an answer to what is asked now; refused if it may be meant for something else. */
function answerOf(prompt: Prompt, body: ApproveCodingBody): Result<GivenAnswer> {
  const { approved_plan: approved, answers = {}, message } = body;
  const decision = body.decision ?? decisionFor(prompt, body);
  const each = Object.entries(answers).map(([questionId, answer]) => ({ questionId, answer }));
  const said = { decision, ...defined({ message }), ...(each.length === 0 ? {} : { answers: each }) };
  if (approved !== undefined && prompt.type !== 'plan_approval')
    return failed({
      code: 'conflict',
      message: `No plan waits for approval: asked is "${prompt.title}".`,
      detail: { prompt },
    });
  const mayApprove = decision === 'approve' || (prompt.type === 'plan_approval' && decision === 'answer');
  if (mayApprove && approved === undefined && body.content_hash === undefined)
    return failed({ code: 'invalid', message: UNBOUND });
  if (approved === undefined || prompt.type !== 'plan_approval') return done(said);
  const chosen = chosenPlan(approved, prompt.payload);
  return chosen === 'both' ? failed({ code: 'invalid', message: BOTH }) : done({ ...said, ...chosen });
}

function decisionFor({ type }: Prompt, { approved_plan: approved, message }: ApproveCodingBody): 'approve' | 'answer' {
  if (type === 'question' || type === 'options') return 'answer';
  return type === 'plan_approval' && approved === undefined && message !== undefined ? 'answer' : 'approve';
}

const UNBOUND =
  'Say what is approved: the approved_plan, or the content_hash of the pending action. An approval counts for what was shown only.';
const BOTH = 'The text and the fields of approved_plan were both changed, and differ: send the one that counts.';

type Shown = Pick<PromptOf<'plan_approval'>['payload'], 'plan' | 'data'>;

/** What replaces the plan that was shown: nothing if it is the same. A session's plan may come back with its text beside its fields. */
function chosenPlan(
  approved: NonNullable<ApproveCodingBody['approved_plan']>,
  { plan: text, data }: Shown,
): Pick<GivenAnswer, 'plan'> | 'both' {
  if (typeof approved === 'string') return approved === text ? {} : { plan: approved };
  const { text: own, ...fields } = approved;
  const hasFields = Object.keys(fields).length > 0;
  const isSame = hasFields && isSameJson(fields, data);
  if (typeof own !== 'string') return isSame ? {} : { plan: fields };
  if (!hasFields || isSame) return own === text ? {} : { plan: own };
  return own === text ? { plan: fields } : 'both';
}

/** Of values that came as JSON: the order of fields does not matter. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [a, b] = [Object.entries(one), Object.entries(other)];
  return a.length === b.length && a.every(([name, value]) => isSameJson(value, Reflect.get(other, name)));
}
