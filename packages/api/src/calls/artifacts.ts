import type { Artifact } from '@attractor/platform';
import { artifactRoutes, type ArtifactEditBody, type NewArtifactBody } from '../artifacts.ts';
import type { Done } from '../done.ts';
import { get, patch, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

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
