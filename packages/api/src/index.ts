export type { AccessRule, Caller } from './access-rule.ts';
export * from './client.ts';
export { describeApi, describedRoutes } from './describe-api.ts';
export { failureAnswer, failuresOf } from './document/failures.ts';
export * from './event-stream.ts';
export * from './failure.ts';
export { covers, EFFORTS, PERMISSION_MODES, SAMPLE_TASK, type Role } from '@attractor/facts';
export { keyOf, taskKeyOf } from '@attractor/store/types';
export type { Answered, Outgoing } from './http.ts';
export { type Left, LEFT_HEADER, leftOf } from './listed.ts';
export { isWholeId, replaceIds } from './id-places.ts';
export * from './messages.ts';
export * from './nouns.ts';
export { openRoutes } from './open-routes.ts';
export { bytes, type HttpRoute, type Route } from './route.ts';
export * from './run-steps.ts';
export type {
  AgentInfo,
  AgentSessions,
  CopyState,
  OwnCopies,
  ProviderInfo,
  RunConfigView,
  ServerParts,
  LiveSessions,
} from './server-parts.ts';
export { takeStep } from './take-step.ts';
export * from './views/cost.ts';
export * from './views/fold.ts';
export * from './views/live-text.ts';
export { readOn } from './views/read-on.ts';
export * from './views/run.ts';
export * from './views/steps.ts';
export * from './views/task-list.ts';
export * from './views/task.ts';
export * from './views/tool-label.ts';
export * from './views/transcript.ts';
