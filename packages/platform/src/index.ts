export type { AgentConfig, AgentDelta, AgentMessage } from '@attractor/adapters';
export type { BranchState, BranchUpdate, FileDiff, FileLines, Issue, Picture, TaskDiff } from '@attractor/repository';
export type { CodingSession, Inbox, InboxItem, NextStep, StatedTask, TaskState } from '@attractor/states';
export type {
  Actor,
  AgentRun,
  AgentRunMode,
  AgentRunStatus,
  ApiKey,
  Artifact,
  Attachment,
  AuditEntry,
  ByEvent,
  CheckResult,
  Criterion,
  Delivery,
  Effect,
  EventFilter,
  EventOf,
  IdKind,
  NamedId,
  LiveDelta,
  MergeMethod,
  NewTask,
  PipelineDefinition,
  PipelineStatus,
  PlatformEvent,
  Project,
  Prompt,
  GivenAnswer,
  PromptAnswer,
  PromptOf,
  PromptType,
  ProviderLimit,
  QueueState,
  QueuedJob,
  RawEvent,
  Refusal,
  Result,
  RunOverrides,
  RunStep,
  Schedule,
  ScheduleAction,
  Split,
  StatusCategory,
  StoreLocation,
  Task,
  TaskMessage,
  TaskNote,
  TaskPhase,
  TaskTemplate,
  TransitionOption,
  User,
} from '@attractor/store';
export {
  OWNER,
  RUN_STEPS,
  answerBy,
  archiveDatabase,
  backupDatabase,
  compactDatabase,
  isOutOfService,
  lookAtServer,
  moveDatabase,
  readEvent,
  refusalOfRead,
  restoreDatabase,
} from '@attractor/store';
export type { IssuedIdentity } from '@attractor/people';
export type { AgentComparison, Costs, RunStats, RunTimeline, Spend } from '@attractor/analytics';
export type { AttemptGroup } from '@attractor/run';
export type { BudgetState } from '@attractor/run';
export type { Platform, PlatformWorkflow } from './platform.ts';
export { openPlatform } from './platform.ts';
export type { FoundId } from './workflow/ids/contract.ts';
export type { MessageDelivery, SentMessage, TaskSettings } from './workflow/messages/contract.ts';
export { readConcurrency } from './queue/read-concurrency.ts';
export type { Confine, ReadRunSetup } from '@attractor/run';
export { unconfined } from '@attractor/run';
export type { DiskUsage, Health, SupervisorReport } from './supervisor/findings.ts';
export type { ChannelView, NotifyView } from './workflow/notify/contract.ts';
export type { ConfigExamination, ProjectEdit } from './workflow/projects/contract.ts';
export type { Approved, ImportedIssues, Resolving, RolledBack, TaskChanges } from './workflow/scm/contract.ts';
export type { BulkResult } from './workflow/tasks/contract.ts';
export type { Workflow } from './workflow/workflow.ts';
