import { done, once } from '@attractor/base';
import { agentAnswer, providerAnswer, toolAnswer } from './answers/agent.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { AgentInfo, ProviderInfo } from './server-parts.ts';
import type { ToolInfo } from './views/tool-label.ts';

const at = {
  list: 'GET /api/agents',
  tools: 'GET /api/agents/tools',
  providers: 'GET /api/agents/providers',
} as const;

export function agentCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<AgentInfo>>(http, at.list),
    tools: () => ask<ReadonlyArray<ToolInfo>>(http, at.tools),
    providers: () => ask<ReadonlyArray<ProviderInfo>>(http, at.providers),
  };
}

export const agentRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list the kinds of agents, and whether they can start here',
    access: ['viewer', 'shared'],
    answers: () => list(agentAnswer()),
    act: async ({ agents }) => done(await agents()),
  }),
  tools: route(at.tools, {
    about: 'list the tools of our own agents',
    access: ['viewer', 'shared'],
    answers: () => list(toolAnswer()),
    act: async ({ tools }) => done(tools()),
  }),
  providers: route(at.providers, {
    about: 'list the services of models, which are ready, and what the others need',
    access: ['operator', 'shared'],
    answers: () => list(providerAnswer()),
    act: async ({ providers }) => done(providers()),
  }),
}));
