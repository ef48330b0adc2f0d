import { once } from '@attractor/base';
import type { Artifact } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { list } from './answers/shape.ts';
import { artifactAnswer } from './answers/task.ts';
import { asDone, type Done } from './done.ts';
import { found, ofTask } from './found.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/tasks/:id/artifacts',
  get: 'GET /api/artifacts/:id',
  add: 'POST /api/tasks/:id/artifacts',
  update: 'PATCH /api/artifacts/:id',
  remove: 'DELETE /api/artifacts/:id',
} as const;

const TYPES = ['branch', 'commit', 'diff', 'pull_request', 'document', 'mock', 'link'] as const;

const label = () => givenName(500);
const webAddress = () => z.url({ protocol: /^https?$/ }).max(2_000);
const content = () => z.string().max(900_000);
const metadata = () => z.record(z.string(), z.unknown()).readonly();

const newArtifactBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    type: z.enum(TYPES),
    label: label(),
    key: z.string().min(1).max(500).exactOptional(),
    url: webAddress().exactOptional(),
    content: content().exactOptional(),
    filePath: z.string().min(1).max(4096).exactOptional(),
    phaseId: z.string().min(1).exactOptional(),
    metadata: metadata().exactOptional(),
  }),
);

const artifactEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    label: label().exactOptional(),
    url: webAddress().nullable().exactOptional(),
    content: content().nullable().exactOptional(),
    metadata: metadata().exactOptional(),
  }),
);

export type NewArtifactBody = z.infer<ReturnType<typeof newArtifactBody>>;
export type ArtifactEditBody = z.infer<ReturnType<typeof artifactEditBody>>;

export type { Artifact } from '@attractor/platform';

export function artifactCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<ReadonlyArray<Artifact>>(http, at.list, { params: { id: taskId } }),
    get: (id: string) => ask<Artifact>(http, at.get, { params: { id } }),
    add: (taskId: string, body: NewArtifactBody) => ask<Artifact>(http, at.add, { params: { id: taskId }, body }),
    update: (id: string, body: ArtifactEditBody) => ask<Artifact>(http, at.update, { params: { id }, body }),
    remove: (id: string) => ask<Done>(http, at.remove, { params: { id } }),
  };
}

export const artifactRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list what a task produced',
    access: ['viewer', 'named'],
    answers: () => list(artifactAnswer()),
    act: ofTask((workflow, taskId) => workflow.listArtifacts(taskId)),
  }),
  get: route(at.get, {
    about: 'show one thing that a task produced, with its content',
    access: ['viewer', 'named'],
    answers: artifactAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getArtifact(id), `artifact ${id}`),
  }),
  add: route(at.add, {
    about: 'add a document, a link or another thing to a task',
    access: ['operator', 'named'],
    answers: artifactAnswer,
    body: newArtifactBody,
    act: ({ workflow, params, body, actor }) => workflow.addArtifact({ taskId: params.id, ...body }, actor),
  }),
  update: route(at.update, {
    about: 'change something that belongs to a task',
    access: ['operator', 'named'],
    answers: artifactAnswer,
    body: artifactEditBody,
    act: ({ workflow, params, body, actor }) => workflow.updateArtifact(params.id, body, actor),
  }),
  remove: route(at.remove, {
    about: 'remove something from a task',
    access: ['operator', 'named'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.removeArtifact(params.id, actor)),
  }),
}));
