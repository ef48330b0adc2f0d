import { accessCalls } from './access.ts';
import { agentCalls } from './agents.ts';
import { artifactCalls } from './artifacts.ts';
import { attachmentCalls } from './attachments.ts';
import { attemptCalls } from './attempts.ts';
import { branchCalls } from './branches.ts';
import { budgetCalls } from './budgets.ts';
import { channelCalls } from './channels.ts';
import { checkCalls } from './checks.ts';
import { costCalls } from './costs.ts';
import { dependencyCalls } from './dependencies.ts';
import { eventCalls } from './events.ts';
import { healthCalls } from './health.ts';
import { issueCalls } from './issues.ts';
import { noteCalls } from './notes.ts';
import { pipelineCalls } from './pipelines.ts';
import { projectCalls } from './projects.ts';
import { promptCalls } from './prompts.ts';
import { queueCalls } from './queue.ts';
import { runConfigCalls } from './run-config.ts';
import { runCalls } from './runs.ts';
import { scheduleCalls } from './schedules.ts';
import { taskCalls } from './tasks.ts';
import { templateCalls } from './templates.ts';

export * from './access.ts';
export * from './agents.ts';
export * from './artifacts.ts';
export * from './attachments.ts';
export * from './attempts.ts';
export * from './branches.ts';
export * from './budgets.ts';
export * from './channels.ts';
export * from './checks.ts';
export * from './costs.ts';
export * from './dependencies.ts';
export * from './events.ts';
export * from './health.ts';
export * from './issues.ts';
export * from './notes.ts';
export * from './pipelines.ts';
export * from './projects.ts';
export * from './prompts.ts';
export * from './queue.ts';
export * from './run-config.ts';
export * from './runs.ts';
export * from './schedules.ts';
export * from './tasks.ts';
export * from './templates.ts';

/** Every noun of the API: its file, handed out, and its calls. */
export const CALLS = {
  access: accessCalls,
  projects: projectCalls,
  tasks: taskCalls,
  issues: issueCalls,
  templates: templateCalls,
  notes: noteCalls,
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
  health: healthCalls,
};
