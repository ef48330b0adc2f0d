import { issueCalls } from './calls/issues.ts';
import { templateCalls } from './calls/templates.ts';
import { noteCalls } from './calls/notes.ts';
import { dependencyCalls } from './calls/dependencies.ts';
import { attachmentCalls } from './calls/attachments.ts';
import { artifactCalls } from './calls/artifacts.ts';
import { accessCalls } from './calls/access.ts';
import { agentCalls } from './calls/agents.ts';
import { attemptCalls } from './calls/attempts.ts';
import { budgetCalls } from './calls/budgets.ts';
import { checkCalls } from './calls/checks.ts';
import { costCalls } from './calls/costs.ts';
import { channelCalls } from './calls/channels.ts';
import { queueCalls } from './calls/queue.ts';
import { scheduleCalls } from './calls/schedules.ts';
import { branchCalls } from './calls/branches.ts';
import { healthCalls } from './calls/health.ts';
import { runConfigCalls } from './calls/run-config.ts';
import { eventCalls } from './calls/events.ts';
import { pipelineCalls } from './calls/pipelines.ts';
import { projectCalls } from './calls/projects.ts';
import { promptCalls } from './calls/prompts.ts';
import { runCalls } from './calls/runs.ts';
import { taskCalls } from './calls/tasks.ts';
import type { Fetch, HttpOptions } from './http.ts';

export type ApiClientOptions = {
  readonly baseUrl: string;
  readonly token?: string;
  readonly fetch?: Fetch;
  readonly headers?: () => Readonly<Record<string, string>>;
};

export type ApiClient = ReturnType<typeof createApiClient>;

/** Every route as a function that answers a value or a failure; the same in browser, command and tests. */
export function createApiClient(options: ApiClientOptions) {
  const http: HttpOptions = {
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    headers: () => ({
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers?.(),
    }),
  };
  return {
    access: accessCalls(http),
    projects: projectCalls(http),
    tasks: taskCalls(http),
    issues: issueCalls(http),
    templates: templateCalls(http),
    notes: noteCalls(http),
    dependencies: dependencyCalls(http),
    attachments: attachmentCalls(http),
    artifacts: artifactCalls(http),
    runs: runCalls(http),
    prompts: promptCalls(http),
    pipelines: pipelineCalls(http),
    events: eventCalls(http),
    agents: agentCalls(http),
    checks: checkCalls(http),
    costs: costCalls(http),
    budgets: budgetCalls(http),
    attempts: attemptCalls(http),
    queue: queueCalls(http),
    schedules: scheduleCalls(http),
    channels: channelCalls(http),
    runConfig: runConfigCalls(http),
    branches: branchCalls(http),
    health: healthCalls(http),
  };
}
