import { agentRoutes, type AgentInfo, type ToolInfo } from '../agents.ts';
import { get, type HttpOptions } from '../http.ts';

export function agentCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<AgentInfo>>(http, agentRoutes.all),
    tools: () => get<ReadonlyArray<ToolInfo>>(http, agentRoutes.tools),
  };
}
