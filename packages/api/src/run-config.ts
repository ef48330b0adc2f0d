import { failed, once } from '@attractor/base';
import { z } from 'zod';
import { runConfigAnswer } from './answers/agent.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { RunConfigView } from './server-parts.ts';

const at = { get: 'GET /api/projects/:id/run-config' } as const;

const runConfigQuery = /* @__PURE__ */ once(() => z.strictObject({ agentType: z.string().min(1).exactOptional() }));

export type RunConfigQuery = z.infer<ReturnType<typeof runConfigQuery>>;

export function runConfigCalls(http: HttpOptions) {
  return {
    get: (projectId: string, query: RunConfigQuery = {}) =>
      ask<RunConfigView>(http, at.get, { params: { id: projectId }, query }),
  };
}

export const runConfigRoutes = /* @__PURE__ */ once(() => ({
  get: route(at.get, {
    about: 'show what a run of the project would get, and where each value comes from',
    access: ['viewer', 'named'],
    answers: runConfigAnswer,
    query: runConfigQuery,
    act: async ({ workflow, explainConfig, params: { id }, query }) => {
      const project = found(await workflow.getProject(id), `project ${id}`);
      if (!project.ok) return project;
      if (explainConfig === null)
        return failed({ code: 'blocked', message: 'No agents are known to this server: start one that runs agents.' });
      return explainConfig(project.value, query.agentType);
    },
  }),
}));
