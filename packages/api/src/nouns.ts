import { accessCalls, accessRoutes } from './access.ts';
import { agentCalls, agentRoutes } from './agents.ts';
import { artifactCalls, artifactRoutes } from './artifacts.ts';
import { auditCalls, auditRoutes } from './audit.ts';
import { attachmentCalls, attachmentRoutes } from './attachments.ts';
import { attemptCalls, attemptRoutes } from './attempts.ts';
import { branchCalls, branchRoutes } from './branches.ts';
import { budgetCalls, budgetRoutes } from './budgets.ts';
import { channelCalls, channelRoutes } from './channels.ts';
import { checkCalls, checkRoutes } from './checks.ts';
import { codingCalls, codingRoutes } from './coding.ts';
import { costCalls, costRoutes } from './costs.ts';
import { criterionCalls, criterionRoutes } from './criteria.ts';
import { dependencyCalls, dependencyRoutes } from './dependencies.ts';
import { eventCalls, eventRoutes } from './events.ts';
import { healthCalls, healthRoutes } from './health.ts';
import { idCalls, idRoutes } from './ids.ts';
import { inboxCalls, inboxRoutes } from './inbox.ts';
import { issueCalls, issueRoutes } from './issues.ts';
import { keyCalls, keyRoutes } from './keys.ts';
import { messageCalls, messageRoutes } from './task-messages.ts';
import { metricCalls, metricRoutes } from './metrics.ts';
import { noteCalls, noteRoutes } from './notes.ts';
import { openapiCalls, openapiRoutes } from './openapi.ts';
import { pipelineCalls, pipelineRoutes } from './pipelines.ts';
import { projectCalls, projectRoutes } from './projects.ts';
import { promptCalls, promptRoutes } from './prompts.ts';
import { queueCalls, queueRoutes } from './queue.ts';
import { runConfigCalls, runConfigRoutes } from './run-config.ts';
import { runCalls, runRoutes } from './runs.ts';
import { scheduleCalls, scheduleRoutes } from './schedules.ts';
import { sessionCalls, sessionRoutes } from './sessions.ts';
import { taskCalls, taskRoutes } from './tasks.ts';
import { templateCalls, templateRoutes } from './templates.ts';
import { userCalls, userRoutes } from './users.ts';
import type { HttpRoute, RoutesOf } from './route.ts';

export * from './access.ts';
export * from './agents.ts';
export * from './artifacts.ts';
export * from './attachments.ts';
export * from './audit.ts';
export * from './attempts.ts';
export * from './branches.ts';
export * from './budgets.ts';
export * from './channels.ts';
export * from './checks.ts';
export * from './coding.ts';
export * from './costs.ts';
export * from './criteria.ts';
export * from './dependencies.ts';
export * from './events.ts';
export * from './health.ts';
export * from './ids.ts';
export * from './inbox.ts';
export * from './issues.ts';
export * from './keys.ts';
export * from './task-messages.ts';
export * from './metrics.ts';
export * from './notes.ts';
export * from './openapi.ts';
export * from './pipelines.ts';
export * from './projects.ts';
export * from './prompts.ts';
export * from './queue.ts';
export * from './run-config.ts';
export * from './runs.ts';
export * from './schedules.ts';
export * from './sessions.ts';
export * from './tasks.ts';
export * from './templates.ts';
export * from './users.ts';

/** What a client can call, by noun. */
export const CALLS = {
  access: accessCalls,
  projects: projectCalls,
  tasks: taskCalls,
  coding: codingCalls,
  ids: idCalls,
  inbox: inboxCalls,
  issues: issueCalls,
  templates: templateCalls,
  notes: noteCalls,
  messages: messageCalls,
  criteria: criterionCalls,
  dependencies: dependencyCalls,
  attachments: attachmentCalls,
  artifacts: artifactCalls,
  runs: runCalls,
  prompts: promptCalls,
  pipelines: pipelineCalls,
  events: eventCalls,
  agents: agentCalls,
  checks: checkCalls,
  costs: costCalls,
  budgets: budgetCalls,
  attempts: attemptCalls,
  queue: queueCalls,
  schedules: scheduleCalls,
  channels: channelCalls,
  runConfig: runConfigCalls,
  branches: branchCalls,
  sessions: sessionCalls,
  health: healthCalls,
  users: userCalls,
  keys: keyCalls,
  audit: auditCalls,
  openapi: openapiCalls,
  metrics: metricCalls,
};

export type ApiClient = { readonly [Noun in keyof typeof CALLS]: ReturnType<(typeof CALLS)[Noun]> };

/** What a server does with each of these calls. */
export const ROUTES = {
  access: accessRoutes,
  projects: projectRoutes,
  tasks: taskRoutes,
  coding: codingRoutes,
  ids: idRoutes,
  inbox: inboxRoutes,
  issues: issueRoutes,
  templates: templateRoutes,
  notes: noteRoutes,
  messages: messageRoutes,
  criteria: criterionRoutes,
  dependencies: dependencyRoutes,
  attachments: attachmentRoutes,
  artifacts: artifactRoutes,
  runs: runRoutes,
  prompts: promptRoutes,
  pipelines: pipelineRoutes,
  events: eventRoutes,
  agents: agentRoutes,
  checks: checkRoutes,
  costs: costRoutes,
  budgets: budgetRoutes,
  attempts: attemptRoutes,
  queue: queueRoutes,
  schedules: scheduleRoutes,
  channels: channelRoutes,
  runConfig: runConfigRoutes,
  branches: branchRoutes,
  sessions: sessionRoutes,
  health: healthRoutes,
  users: userRoutes,
  keys: keyRoutes,
  audit: auditRoutes,
  openapi: openapiRoutes,
  metrics: metricRoutes,
} satisfies { readonly [Noun in keyof typeof CALLS]: () => RoutesOf<(typeof CALLS)[Noun]> };

type Routes = { readonly [Noun in keyof typeof ROUTES]: ReturnType<(typeof ROUTES)[Noun]> };

/** `events.stream`: the routes with their own handlers in the server. */
export type HttpRouteName = {
  [Noun in keyof Routes]: {
    [Name in keyof Routes[Noun]]: Routes[Noun][Name] extends HttpRoute ? `${Noun}.${Name & string}` : never;
  }[keyof Routes[Noun]];
}[keyof Routes];
