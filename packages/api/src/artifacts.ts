import { z } from 'zod';
import { once } from './once.ts';
import type { Artifact } from '@attractor/platform';
import type { Done } from './done.ts';
import { get, patch, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const artifactRoutes = {
  all: '/api/tasks/:id/artifacts',
  one: '/api/artifacts/:id',
} as const;

const TYPES = ['branch', 'commit', 'diff', 'pull_request', 'document', 'mock', 'link'] as const;

const label = () => z.string().trim().min(1).max(500);
const webAddress = () => z.url({ protocol: /^https?$/ }).max(2_000);
const content = () => z.string().max(900_000);
const metadata = () => z.record(z.string(), z.unknown()).readonly();

export const newArtifactBody = /* @__PURE__ */ once(() =>
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

export const artifactEditBody = /* @__PURE__ */ once(() =>
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
    list: (taskId: string) => get<ReadonlyArray<Artifact>>(http, fillPath(artifactRoutes.all, { id: taskId })),
    get: (id: string) => get<Artifact>(http, fillPath(artifactRoutes.one, { id })),
    add: (taskId: string, body: NewArtifactBody) =>
      post<Artifact>(http, fillPath(artifactRoutes.all, { id: taskId }), body),
    update: (id: string, body: ArtifactEditBody) => patch<Artifact>(http, fillPath(artifactRoutes.one, { id }), body),
    remove: (id: string) => remove<Done>(http, fillPath(artifactRoutes.one, { id })),
  };
}
