import { done, failed, isRecord, expectedOfName, once } from '@attractor/base';
import type { ConfigExamination, PlatformWorkflow, Project, ProjectEdit } from '@attractor/platform';
import { z } from 'zod';
import { copyStateAnswer } from './answers/copy-state.ts';
import { doneAnswer } from './answers/done.ts';
import { eventAnswer } from './answers/event.ts';
import { configExaminationAnswer, projectAnswer, projectInfoAnswer } from './answers/project.ts';
import { list } from './answers/shape.ts';
import { askForEvents } from './ask-for-events.ts';
import { asDone, type Done } from './done.ts';
import { found } from './found.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { countWaiting } from './inbox.ts';
import { firstOf } from './listed.ts';
import { route } from './route.ts';
import type { CopyState } from './server-parts.ts';

const at = {
  list: 'GET /api/projects',
  get: 'GET /api/projects/:id',
  create: 'POST /api/projects',
  clone: 'POST /api/projects/clone',
  sample: 'POST /api/projects/sample',
  clones: 'GET /api/clones',
  stopClone: 'DELETE /api/clones/:clone',
  info: 'GET /api/projects/:id/info',
  update: 'PATCH /api/projects/:id',
  delete: 'DELETE /api/projects/:id',
  activity: 'GET /api/projects/:id/activity',
  examine: 'GET /api/projects/:id/trust',
  trust: 'POST /api/projects/:id/trust',
  revokeTrust: 'DELETE /api/projects/:id/trust',
  move: 'POST /api/projects/:id/move',
} as const;

const newProjectBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    path: z.string().min(1).max(4096),
    name: givenName(200).exactOptional(),
    description: z.string().max(20_000).exactOptional(),
    defaultBranch: z.string().min(1).max(250).exactOptional(),
  }),
);

/** The name is that of the folder, and of the project. */
const copyBody = /* @__PURE__ */ once(() =>
  z.strictObject({ url: z.string().min(1).max(2048), name: z.string().min(1).max(100).exactOptional() }),
);

/** `config` replaces the whole; the platform decides what it may contain. */
const projectEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    name: givenName(200).exactOptional(),
    description: z.string().max(20_000).exactOptional(),
    defaultBranch: z.string().min(1).max(250).exactOptional(),
    key: z.string().min(1).max(20).exactOptional(),
    config: z
      .custom<NonNullable<ProjectEdit['config']>>((value) => isRecord(value), {
        error: 'expected an object',
      })
      .superRefine(({ labels }, context) => {
        for (const label of Array.isArray(labels) ? labels : []) {
          const expected = expectedOfName(String(label), 100);
          if (expected !== null)
            context.addIssue({ code: 'custom', path: ['labels'], message: `expected ${expected}` });
        }
      })
      .exactOptional(),
  }),
);

const activityQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    before: z.coerce.number().int().min(1).exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  }),
);

const moveBody = /* @__PURE__ */ once(() => z.strictObject({ path: z.string().min(1).max(4096) }));

const trustBody = /* @__PURE__ */ once(() => z.strictObject({ hash: z.string().min(1).max(200) }));

/** How many tasks went with it. */
const deletedProjectAnswer = /* @__PURE__ */ once(() => z.strictObject({ tasks: z.number() }));

export type NewProjectBody = z.infer<ReturnType<typeof newProjectBody>>;
export type CopyBody = z.infer<ReturnType<typeof copyBody>>;
export type ProjectEditBody = z.infer<ReturnType<typeof projectEditBody>>;
export type ActivityQuery = z.infer<ReturnType<typeof activityQuery>>;

/** A project and its activity. */
export type ProjectInfo = {
  readonly project: Project;
  /** Tasks by status. */
  readonly tasks: Readonly<Record<string, number>>;
  /** Those that an agent works on now. */
  readonly runningRuns: number;
  /** Those that wait for a free worker, or for what holds them back. */
  readonly queuedRuns: number;
  readonly pendingPrompts: number;
  /** How many tasks wait for a person: with a question, for a review, after a failure. */
  readonly waiting: number;
};

export type { ConfigExamination, Project } from '@attractor/platform';

export function projectCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<Project>>(http, at.list),
    get: (id: string) => ask<Project>(http, at.get, { params: { id } }),
    create: (body: NewProjectBody) => ask<Project>(http, at.create, { body }),
    clone: (body: CopyBody) => ask<Project>(http, at.clone, { body }),
    sample: () => ask<Project>(http, at.sample),
    clones: () => ask<ReadonlyArray<CopyState>>(http, at.clones),
    stopClone: (clone: string) => ask<Done>(http, at.stopClone, { params: { clone } }),
    info: (id: string) => ask<ProjectInfo>(http, at.info, { params: { id } }),
    update: (id: string, body: ProjectEditBody) => ask<Project>(http, at.update, { params: { id }, body }),
    delete: (id: string) => ask<{ readonly tasks: number }>(http, at.delete, { params: { id } }),
    activity: (id: string, query: ActivityQuery = {}) => askForEvents(http, at.activity, { params: { id }, query }),
    move: (id: string, path: string) => ask<Project>(http, at.move, { params: { id }, body: { path } }),
    examine: (id: string) => ask<ConfigExamination>(http, at.examine, { params: { id } }),
    trust: (id: string, hash: string) => ask<Project>(http, at.trust, { params: { id }, body: { hash } }),
    revokeTrust: (id: string) => ask<Project>(http, at.revokeTrust, { params: { id } }),
  };
}

export const projectRoutes = /* @__PURE__ */ once(() => ({ ...reads(), ...ownCopies(), ...changes() }));

const reads = () => ({
  list: route(at.list, {
    about: 'list projects',
    access: ['viewer', 'visible'],
    answers: () => list(projectAnswer()),
    act: async ({ workflow }) => done(await workflow.listProjects()),
  }),
  get: route(at.get, {
    about: 'show a project',
    access: ['viewer', 'named'],
    answers: projectAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getProject(id), `project ${id}`),
  }),
  info: route(at.info, {
    about: 'show a project and how much is going on in it',
    access: ['viewer', 'named'],
    answers: projectInfoAnswer,
    act: async ({ workflow, params: { id } }) => {
      const project = await workflow.getProject(id);
      return found(project === null ? null : await infoOf(workflow, project), `project ${id}`);
    },
  }),
  activity: route(at.activity, {
    about: 'show what happened in a project, the newest first',
    access: ['viewer', 'named'],
    answers: () => list(eventAnswer()),
    query: activityQuery,
    act: async ({ workflow, params: { id }, query }) => {
      const project = await workflow.getProject(id);
      if (project === null) return failed({ code: 'not_found', message: `There is no project ${id}.` });
      const { limit = LISTED } = query;
      return firstOf(await workflow.activity({ projectId: id, ...query, limit: limit + 1 }), limit);
    },
  }),
});

const ownCopies = () => ({
  clone: route(at.clone, {
    about: 'clone a repository and add it as a project',
    access: ['admin', 'every'],
    answers: projectAnswer,
    body: copyBody,
    act: async ({ copies, body, actor }) => copies?.clone(body, actor) ?? NO_FOLDER,
  }),
  sample: route(at.sample, {
    about: 'make the sample repository and add it as a project',
    access: ['admin', 'every'],
    answers: projectAnswer,
    act: async ({ copies, actor }) => copies?.sample(actor) ?? NO_FOLDER,
  }),
  clones: route(at.clones, {
    about: 'list the clones in progress, and how far they are',
    access: ['admin', 'every'],
    answers: () => list(copyStateAnswer()),
    act: async ({ copies }) => done(copies?.clones() ?? []),
  }),
  stopClone: route(at.stopClone, {
    about: 'stop a clone; nothing of it is left',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ copies, params: { clone } }) => (copies === null ? NO_FOLDER : asDone(copies.stopClone(clone))),
  }),
});

const changes = () => ({
  create: route(at.create, {
    about: 'add a project',
    access: ['admin', 'every'],
    answers: projectAnswer,
    body: newProjectBody,
    act: ({ workflow, body, actor }) => workflow.createProject(body, actor),
  }),
  update: route(at.update, {
    about: 'change a project',
    access: ['admin', 'named'],
    answers: projectAnswer,
    body: projectEditBody,
    act: ({ workflow, params, body, actor }) => workflow.updateProject(params.id, body, actor),
  }),
  move: route(at.move, {
    about: "say where a project's folder is now",
    access: ['admin', 'every'],
    answers: projectAnswer,
    body: moveBody,
    act: ({ workflow, params, body, actor }) => workflow.moveProject(params.id, body.path, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a project with its tasks',
    access: ['admin', 'named'],
    answers: deletedProjectAnswer,
    act: ({ workflow, params, actor }) => workflow.deleteProject(params.id, actor),
  }),
  examine: route(at.examine, {
    about: "show what the project's repository says about agents, and whether it is trusted",
    access: ['admin', 'named'],
    answers: configExaminationAnswer,
    act: ({ workflow, params }) => workflow.examineConfig(params.id),
  }),
  trust: route(at.trust, {
    about: "trust what the project's repository says about agents",
    access: ['admin', 'named'],
    answers: projectAnswer,
    body: trustBody,
    act: ({ workflow, params, body, actor }) => workflow.trustConfig(params.id, body.hash, actor),
  }),
  revokeTrust: route(at.revokeTrust, {
    about: "trust what the project's repository says about agents no longer",
    access: ['admin', 'named'],
    answers: projectAnswer,
    act: ({ workflow, params, actor }) => workflow.trustConfig(params.id, null, actor),
  }),
});

async function infoOf(workflow: PlatformWorkflow, project: Project): Promise<ProjectInfo> {
  const [{ running, queued }, pendingPrompts, inbox, tasks] = await Promise.all([
    workflow.queueState({ projectId: project.id, limit: 0 }),
    workflow.countPrompts({ projectId: project.id, status: 'pending' }),
    workflow.inbox({ projectId: project.id, limit: 1 }),
    workflow.countByStatus(project.id),
  ]);
  const counts = { runningRuns: running, queuedRuns: queued, pendingPrompts, waiting: countWaiting(inbox) };
  return { project, tasks, ...counts };
}

const NO_FOLDER = failed({ code: 'unavailable', message: 'This server has no folder for repositories.' } as const);

/** How many events are listed if nobody says. */
const LISTED = 100;
