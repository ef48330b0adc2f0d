export { backupDatabase, restoreDatabase } from './database/backup.ts';
export { millisBetween } from './database/dialect.ts';
export { idOf, parseJson } from './database/json.ts';
export { lastSeq } from './database/last-seq.ts';
export { moveDatabase } from './database/move.ts';
export { joinStore, nested } from './database/nested.ts';
export type { StoreLocation } from './database/open-store.ts';
export { lookAtServer, openStore, refusalOfRead, refuseOnDatabaseError } from './database/open-store.ts';
export { explainPostgres, isOutOfService, isPassing, postgresFailure } from './database/postgres-failure.ts';
export type { AttemptGroupRow, AttemptRow, BudgetRow, RunUsageRow } from './database/spend-rows.ts';
export type { Manner, Reader, Store, Tx } from './database/store.ts';
export { isSilent } from './database/unasked.ts';
export { alsoAbout } from './database/held-subjects.ts';
export {
  ABOUT_NOTHING_ELSE,
  ABOUT_OUTBOX,
  ABOUT_QUEUE,
  aboutPullRequests,
  aboutTask,
  taskSubject,
} from './database/subjects.ts';
export { ticketsOf } from './database/tickets.ts';
export { TICKETS_SCHEMA } from './database/written.ts';
export { transactionNow, transactionTime } from './database/transaction-time.ts';
export { findApiKey, insertApiKey, listApiKeys, noteKeyUse, revokeApiKey } from './records/api-keys.ts';
export { archiveDatabase, archiveOld, compactDatabase } from './records/archive-database.ts';
export type { NewArtifact } from './records/artifacts.ts';
export {
  addArtifact,
  deleteArtifact,
  findArtifact,
  findArtifactByKey,
  listArtifacts,
  listOpenPullRequests,
  listProjectWork,
  updateArtifact,
} from './records/artifacts.ts';
export type { Attachments } from './records/attachment-files.ts';
export { folderOf, readAttachment, removeFiles, writeBytes } from './records/attachment-files.ts';
export { deleteAttachment, findAttachment, insertAttachment, listAttachments } from './records/attachments.ts';
export {
  endJobOf,
  findAttempt,
  findGroup,
  insertAttempt,
  insertGroup,
  listGroupAttempts,
  listGroups,
  saveJudgement,
  savePlaces,
  saveScore,
} from './records/attempts.ts';
export type { KeptCall, KeyedCall } from './records/call-keys.ts';
export { claimCall, finishCall, markActed, releaseCall } from './records/call-keys.ts';
export type { Act, AuditFilter } from './records/audit.ts';
export { addToAudit, listAudit } from './records/audit.ts';
export type { HeldReservation } from './records/budgets.ts';
export {
  deleteBudget,
  findBudget,
  findBudgetFor,
  listBudgets,
  listBudgetsOf,
  listHeldReservations,
  saveBudget,
  saveReservation,
} from './records/budgets.ts';
export { contentHash } from './records/content-hash.ts';
export type { Delivery, Settlement } from './records/deliveries.ts';
export {
  insertDelivery,
  listDeliveries,
  listOpenDeliveries,
  removeOldDeliveries,
  settleDelivery,
  takeDelivery,
} from './records/deliveries.ts';
export type { Dependency } from './records/dependencies.ts';
export {
  deleteDependency,
  findDependencyPath,
  insertDependency,
  listDependencies,
  listDependents,
  listProjectDependencies,
} from './records/dependencies.ts';
export type { EventFilter } from './records/events.ts';
export { appendEvents, listActivity, listEvents } from './records/events.ts';
export { type JudgedPlan, lastJudgedPlan } from './records/judged-plan.ts';
export type { HistoryEntry } from './records/history.ts';
export { appendHistory, listHistory, listMoves } from './records/history.ts';
export type { Claim, StartBlock } from './records/claims.ts';
export {
  extendLease,
  forgiveClaim,
  finishJob,
  finishOnlyJob,
  holdsClaim,
  leaveWaiting,
  insistOnClaim,
  lookAtClaim,
  markProgress,
  putOffJob,
  releaseJob,
  setWaiting,
} from './records/claims.ts';
export type { Job, PutOptions, StartGate } from './records/jobs.ts';
export {
  HEAD_START,
  countForAgent,
  dropJob,
  dropQueuedJob,
  labelsOf,
  listCandidates,
  listOpenJobs,
  listRunningJobs,
  putJob,
  reprioritise,
  setBlocked,
  takeJobs,
  wakeJob,
} from './records/jobs.ts';
export { addRunTime, beginMeter, findMeter, setAgentProcess } from './records/meters.ts';
export type { MessageVia, TaskMessage } from './types/message.ts';
export { deliverMessage, findLastInput, insertMessage, listMessages } from './records/messages.ts';
export { insertNote, listNotes } from './records/notes.ts';
export { listCriteria, metCriteria, recordCriteria, syncCriteria } from './records/criteria.ts';
export { findOpenSplit, insertSplit, listOpenSplits, settleSplitRow } from './records/splits.ts';
export type { LastMove, RunSummary, LastEffect } from './records/of-many-tasks.ts';
export {
  dependentTasks,
  finishedSteps,
  lastEffects,
  lastMoves,
  newestRuns,
  openJobs,
  openPrompts,
  openSplits,
  tasksOfIds,
  workArtifacts,
} from './records/of-many-tasks.ts';
export {
  findCursor,
  findOrStartCursor,
  moveCursor,
  removeChannelRecords,
  setFailing,
} from './records/notify-cursors.ts';
export type { EffectEnd, NewEffect, StoredEffect } from './records/outbox.ts';
export {
  endEffect,
  findEffect,
  listEffects,
  publicEffect,
  isToBePushed,
  listOpenEffects,
  putEffect,
  renewEffect,
  takeEffect,
} from './records/outbox.ts';
export { ownName, ownerState } from './records/owner.ts';
export { insertPhase, listPhases, setPhaseStatus } from './records/phases.ts';
export {
  countTasksOfPipeline,
  deletePipeline,
  findDefaultPipeline,
  findPipeline,
  listPipelines,
  listPipelinesInUse,
  savePipeline,
  setDefaultPipeline,
} from './records/pipelines.ts';
export {
  findProject,
  findProjectByKey,
  findProjectByPath,
  insertProject,
  listProjects,
  setProjectPath,
  setTrustedConfig,
  updateProject,
} from './records/projects.ts';
export { projectOf } from './records/project-of.ts';
export { hasOpenPrompt } from './records/open-prompts.ts';
export { findReply, mintReply } from './records/prompt-replies.ts';
export type { NewPrompt, PromptFilter } from './records/prompts.ts';
export {
  closePrompt,
  countPrompts,
  findPrompt,
  findPromptByKey,
  insertPrompt,
  listPrompts,
} from './records/prompts.ts';
export type { ProviderLimit } from './records/provider-limits.ts';
export {
  dropProviderLimit,
  findProviderLimit,
  findProviderLimitOf,
  listProviderLimits,
  saveProviderLimit,
} from './records/provider-limits.ts';
export type { PullRequestRecord } from './records/pull-requests.ts';
export {
  addComment,
  ensurePullRequest,
  findPullRequest,
  listPullRequests,
  retargetPullRequests,
  setMerged,
} from './records/pull-requests.ts';
export type { Lane, QueueLimit } from './records/queue-lanes.ts';
export {
  listLanes,
  listWaitingLanes,
  markServed,
  readLimits,
  setLanePaused,
  setLimit,
  setQueuePaused,
} from './records/queue-lanes.ts';
export type { QueueState, QueuedJob } from './records/queue-state.ts';
export { readQueueState } from './records/queue-state.ts';
export { removeProject, removeTask, taskIdsOf } from './records/remove.ts';
export type { RunFilePiece } from './records/run-files.ts';
export { addRunFiles, dropRunFiles, readRunFiles } from './records/run-files.ts';
export type { RetryNote, RunFilter, RunRequest, RunToStart, SavedStep } from './records/runs.ts';
export {
  countRuns,
  findRun,
  findRunAndRequest,
  findRunRequest,
  findRunsToStart,
  findWorkplace,
  insertRun,
  listRuns,
  listSteps,
  replaceStep,
  requestCancel,
  saveStep,
  setWorkplace,
  setRunOverrides,
  updateRun,
} from './records/runs.ts';
export type { IdKind, NamedId } from './records/find-ids.ts';
export { findIds, isIdKind, nameIds } from './records/find-ids.ts';
export { changeProjectKey, findIdByKey, nextTaskKey } from './records/short-keys.ts';
export { deleteSchedule, findSchedule, listDueSchedules, listSchedules, saveSchedule } from './records/schedules.ts';
export type { TaskFilter, TaskPage } from './records/task-list.ts';
export {
  countByStatus,
  countTasks,
  lastPlace,
  listTasks,
  pageTasks,
  placeAfter,
  spreadPlaces,
} from './records/task-list.ts';
export type { TaskChange } from './records/tasks.ts';
export {
  findTask,
  findTaskBySource,
  findTaskOverrides,
  insertTask,
  setTaskOverrides,
  updateTask,
} from './records/tasks.ts';
export { deleteTemplate, findTemplate, findTemplateByName, listTemplates, saveTemplate } from './records/templates.ts';
export type { UsedAmount } from './records/usage.ts';
export { NOTHING, SLOT_MS, addAmounts, addUsage, amountOf, listRunUsage, slotOf, usageSums } from './records/usage.ts';
export { createDeltaFan, type DeltaFan } from './live/delta-fan.ts';
export type { Identity } from './records/users.ts';
export { type EndedSession, endSession, isSessionEnded } from './records/ended-sessions.ts';
export { deleteUser, endSessions, findUser, insertUser, listUsers, setIdentity, updateUser } from './records/users.ts';
export type { StatusPlace, WaitingTasks } from './records/waiting-tasks.ts';
export { listAskedTasks, listHeldTasks, listRestingTasks, listUnmergedTasks } from './records/waiting-tasks.ts';
export type { WorkerNote, WorkerRecord } from './records/workers.ts';
export {
  WORKER_SIGN_MS,
  forgetWorkers,
  listWorkers,
  listWorkersHere,
  noteWorker,
  signState,
  whyUnmet,
} from './records/workers.ts';
export type { Actor } from './types/actor.ts';
export type { ClaimState, Criterion, CriterionClaim, Evidence, JudgedEvidence, NewClaim } from './types/criterion.ts';
export { criterionLine, isMet } from './types/criterion.ts';
export { OWNER, personOf, REPLY } from './types/actor.ts';
export type { ApiKey, AuditEntry, User } from './types/people.ts';
export type { Effect, EffectWork } from './types/effect.ts';
export type { EventType } from './types/event-types.ts';
export { EVENT_TYPES } from './types/event-types.ts';
export type { ByEvent, EventOf, LiveDelta, NewEvent, PlatformEvent, ReportedEvent } from './types/event.ts';
export { NO_PROJECT } from './types/event.ts';
export type { MergeMethod } from './types/merge-method.ts';
export { isMergeMethod, MERGE_METHODS } from './types/merge-method.ts';
export type { NewTask } from './types/new-task.ts';
export type { Notification, NotificationType } from './types/notification.ts';
export { NOTIFICATION_TYPES } from './types/notification.ts';
export type {
  CustomOutcome,
  Named,
  PipelineDefinition,
  PipelineStatus,
  PipelineTransition,
  StatusCategory,
  TransitionOption,
  Trigger,
} from './types/pipeline.ts';
export type { Deviation, Plan } from './types/plan/index.ts';
export {
  deviationLine,
  isMeantAsPlan,
  ofPlan,
  planFields,
  planIn,
  planProblemText,
  readPlanText,
} from './types/plan/index.ts';
export type { Project, ProjectSettings, RetryChoices } from './types/project.ts';
export type { GivenAnswer, Prompt, PromptAnswer, PromptOf, PromptPayload, PromptType } from './types/prompt.ts';
export { askOf, offeredAnswers, PROMPT_TYPES } from './types/prompt.ts';
export type { RawEvent } from './types/read-event.ts';
export { answerBy, isDataOf, readEvent } from './types/read-event.ts';
export type { Refusal, Result } from './types/refusal.ts';
export { isRefusal, refuse } from './types/refusal.ts';
export type { RunOverrides } from './types/run-overrides.ts';
export type { AgentRun, AgentRunMode, AgentRunStatus, CheckResult, RunStep } from './types/run.ts';
export { RUN_STEPS } from './types/run.ts';
export { keyOf, readKey, taskKeyOf } from './types/short-key.ts';
export type { Schedule, ScheduleAction } from './types/schedule.ts';
export type { NewSubtask, Split } from './types/split.ts';
export { splitText } from './types/split-text.ts';
export type {
  Artifact,
  ArtifactType,
  Attachment,
  PendingPayload,
  PhaseStatus,
  Priority,
  Task,
  TaskNote,
  TaskPhase,
} from './types/task.ts';
export type { TaskTemplate, TemplateFields } from './types/template.ts';
