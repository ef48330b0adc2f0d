import { done, once } from '@attractor/base';
import { agentAnswer, toolAnswer } from './answers/agent.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { AgentInfo } from './server-parts.ts';
import type { ToolInfo } from './views/tool-label.ts';

const at = { list: 'GET /api/agents', tools: 'GET /api/agents/tools' } as const;

export function agentCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<AgentInfo>>(http, at.list),
    tools: () => ask<ReadonlyArray<ToolInfo>>(http, at.tools),
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
}));
