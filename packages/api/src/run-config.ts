import type { ConfigOrigin } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import { get, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const runConfigRoutes = { one: '/api/projects/:id/run-config' } as const;

export const runConfigQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ agentType: z.string().min(1).exactOptional() }),
);

export type RunConfigQuery = z.infer<ReturnType<typeof runConfigQuery>>;

/** What a run of the project would get: each value with the layer, and where it is a file the line, that gave it. */
export type RunConfigView = {
  readonly agentType: string;
  readonly values: ReadonlyArray<{
    readonly name: string;
    readonly value: unknown;
    readonly origin: ConfigOrigin | null;
  }>;
  /** What the repository says about agents is not followed, because nobody trusted it. */
  readonly isProjectIgnored: boolean;
};

export function runConfigCalls(http: HttpOptions) {
  return {
    get: (projectId: string, query: RunConfigQuery = {}) =>
      get<RunConfigView>(http, fillPath(runConfigRoutes.one, { id: projectId }, query)),
  };
}
