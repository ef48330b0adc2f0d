import {
  answer,
  artifact,
  attachment,
  check,
  failure,
  message,
  note,
  option,
  phase,
  pipeline,
  project,
  prompt,
  run,
  step,
  task,
  template,
} from './event-fields.ts';
import { proposal, question } from './prompt.ts';
import type { EventCategory, EventLevel } from './event-category.ts';
import { anything, list, maybe, number, orNull, record, type Shape, type Shaped, text, yesOrNo } from './shape.ts';

type Kind<Data extends Shape> = { readonly category: EventCategory; readonly level: EventLevel; readonly data: Data };

const of =
  (level: EventLevel) =>
  <const Data extends Shape>(category: EventCategory, data: Data): Kind<Data> => ({ category, level, data });
const [info, debug, warning, error] = [of('info'), of('debug'), of('warning'), of('error')];

const ENDED = { run, failure: maybe(orNull(failure)), attempt: maybe(record) };
const EDITED = { field: maybe(text), fields: maybe(list(text)) };
const SAID = { message: maybe(text), answers: maybe(list(answer)) };
const CHANNEL = { channel: maybe(orNull(text)) };
const REMOTE = { baseBranch: maybe(text), remote: maybe(orNull(text)) };
const PLACE = { branch: maybe(text), baseBranch: maybe(text), baseCommit: maybe(text) };
const RETRY = {
  attempt: number,
  maxAttempts: number,
  of: text,
  cause: maybe(text),
  failure: maybe(text),
  lastAction: maybe(orNull(text)),
  waits: maybe(number),
};
const EFFECT = {
  effectId: maybe(text),
  kind: maybe(text),
  attempts: maybe(number),
  code: maybe(text),
  detail: maybe(anything),
  had: maybe(orNull(text)),
};

/**
 * The one map of the log: every type of event that we write, its category, its level unless it says otherwise, and its data. A field that
 * was added later is a `maybe`: earlier events lack it.
 */
export const EVENT_TYPES = {
  'project.created': info('lifecycle', { project }),
  'project.updated': info('edit', { project, fields: maybe(list(text)) }),
  'project.deleted': warning('lifecycle', { projectId: text, path: maybe(text) }),
  'project.config_trusted': info('lifecycle', { project }),
  'pipeline.saved': info('edit', { pipeline }),
  'pipeline.deleted': warning('edit', { pipelineId: text }),
  'pipeline.default_set': info('edit', { pipelineId: text }),
  'template.saved': info('edit', { template }),
  'template.deleted': info('edit', { templateId: text }),
  'task.created': info('lifecycle', { task, dependsOn: maybe(list(text)) }),
  'task.deleted': warning('lifecycle', { taskId: text }),
  'field.updated': info('edit', { task, ...EDITED }),
  'description.updated': info('edit', { task, ...EDITED }),
  'status.changed': info('transition', {
    task,
    from: maybe(text),
    to: maybe(text),
    transitionId: maybe(text),
    reason: maybe(orNull(text)),
  }),
  'status.blocked': warning('transition', { options: maybe(list(option)), trigger: maybe(record) }),
  'agent.started': info('agent', { run }),
  'agent.message': info('agent', { message }),
  'agent.tool_use': debug('agent', { toolCallId: text, toolName: text, input: record }),
  'agent.completed': info('agent', ENDED),
  'agent.failed': error('agent', ENDED),
  'agent.cancelled': warning('agent', ENDED),
  'agent.stop_requested': info('agent', { run }),
  'agent.checks_failed': warning('agent', { originalOutcome: maybe(text), checks: maybe(list(check)) }),
  'agent.artifact_collection_failed': error('agent', { problems: maybe(list(text)) }),
  'agent.retry_scheduled': warning('agent', { ...RETRY, notBefore: maybe(text), nextRunId: maybe(text) }),
  'agent.retry_started': info('agent', RETRY),
  'agent.retries_exhausted': error('agent', { attempts: maybe(number), failure: maybe(failure) }),
  'run.configured': debug('agent', { config: maybe(record), origins: maybe(record) }),
  'run.config_untrusted': warning('agent', {}),
  'run.step_started': debug('agent', { step }),
  'run.step_finished': debug('agent', {
    step,
    ok: maybe(yesOrNo),
    skipped: maybe(yesOrNo),
    durationMs: maybe(number),
    run: maybe(run),
    failure: maybe(failure),
  }),
  'run.check_finished': info('agent', { check }),
  'run.checks_untrusted': warning('agent', { checks: maybe(list(text)) }),
  'needs_info.sent': info('payload', { questions: list(question) }),
  'info.provided': info('payload', SAID),
  'options.proposed': info('payload', { summary: maybe(text), options: list(proposal) }),
  'option.selected': info('payload', SAID),
  'changes.requested': info('payload', { ...SAID, summary: maybe(text), comments: maybe(list(record)) }),
  'changes.acknowledged': info('payload', {}),
  'prompt.created': info('payload', { prompt }),
  'prompt.answered': info('payload', { prompt }),
  'prompt.cancelled': info('payload', { prompt }),
  'review.submitted': info('payload', {}),
  'split.approved': info('payload', {}),
  'split.rejected': info('payload', {}),
  'payload.injected': debug('payload', { title: maybe(text), pendingPayload: maybe(record) }),
  'guard.passed': debug('guard', {}),
  'guard.failed': warning('guard', {}),
  'hook.executed': debug('hook', {}),
  'hook.failed': error('hook', EFFECT),
  'phase.created': info('lifecycle', { phase }),
  'phase.changed': info('lifecycle', { phase }),
  'worktree.prepared': info('git', { ...PLACE, run: maybe(run), path: text }),
  'worktree.rescued': warning('git', { ref: maybe(orNull(text)) }),
  'branch.created': info('git', { artifact }),
  'commit.pushed': info('git', { branch: text, commit: text, remote: maybe(text), artifact: maybe(artifact) }),
  'pr.created': info('git', { artifact }),
  'pr.merged': info('git', {
    artifact,
    notice: maybe(orNull(text)),
    mergeCommit: maybe(orNull(text)),
    baseBranch: maybe(text),
    method: maybe(text),
  }),
  'artifact.added': info('git', { artifact }),
  'artifact.updated': info('git', { artifact }),
  'artifact.removed': info('git', { artifactId: text }),
  'note.added': info('note', { note: maybe(note) }),
  'attachment.added': info('note', { attachment }),
  'attachment.removed': info('note', { attachment }),
  'activity.logged': info('note', { title: maybe(text) }),
  'notification.raised': info('note', {
    title: maybe(text),
    status: maybe(text),
    outcome: maybe(orNull(text)),
    notificationType: maybe(orNull(text)),
  }),
  'dep.added': info('dependency', { dependency: record }),
  'dep.removed': info('dependency', { dependency: record }),
  'dep.resolved': info('dependency', { dependency: record, left: maybe(number) }),
  'supervisor.timeout': warning('error', { limitMs: maybe(number) }),
  'supervisor.orphan_recovered': warning('error', { why: maybe(text) }),
  'supervisor.reminder_sent': info('error', { promptId: text, reminder: maybe(number) }),
  'notify.channel_saved': info('edit', CHANNEL),
  'notify.channel_removed': info('edit', CHANNEL),
  'notify.channel_tested': info('note', CHANNEL),
  'notify.preferences_saved': info('edit', CHANNEL),
  'notify.channel_failing': warning('error', { ...CHANNEL, error: maybe(text) }),
  'git.push_failed': warning('git', EFFECT),
  'git.effect_retried': warning('git', EFFECT),
  'branch.updated': info('git', { branch: text, how: maybe(text) }),
  'branch.conflicted': warning('git', { branch: text, detail: maybe(anything) }),
  'worktree.made': info('git', { path: text, branch: text }),
  'pr.create_failed': warning('git', EFFECT),
  'pr.merge_failed': error('git', EFFECT),
  'pr.commented': info('git', { number: maybe(number) }),
  'pr.comment_failed': warning('git', EFFECT),
  'pr.changed_outside': warning('git', { artifact }),
  'agent.process_started': debug('agent', { pid: number }),
  'agent.stalled': warning('agent', { silentMs: maybe(number) }),
  'budget.saved': info('edit', { budget: record }),
  'budget.deleted': info('edit', { budgetId: text }),
  'budget.raised': info('edit', { budget: record }),
  'budget.reached': warning('agent', { budgetId: text, whenReached: maybe(text) }),
  'attempts.started': info('agent', { groupId: text, runIds: list(text) }),
  'attempts.judged': info('agent', { groupId: text, winnerRunId: text, places: list(text) }),
  'queue.paused': info('edit', {}),
  'queue.resumed': info('edit', {}),
  'queue.limit_set': info('edit', { limit: record }),
  'queue.job_given_up': error('error', { jobId: maybe(anything), attempts: maybe(number) }),
  'schedule.saved': info('edit', { schedule: record }),
  'schedule.deleted': info('edit', { scheduleId: text }),
  'schedule.fired': info('lifecycle', { schedule: record }),
  'schedule.failed': warning('error', { schedule: record }),
  'agent.limited': warning('agent', { account: text, until: text, reason: maybe(text) }),
  'agent.limit_lifted': info('agent', { account: text }),
  'work.carried': debug('git', {}),
  'work.carry_failed': warning('git', {}),
  'work.taken_over': warning('git', { run, from: maybe(orNull(record)), to: maybe(record) }),
  'supervisor.lock_removed': info('git', {}),
  'supervisor.worktree_removed': info('git', { path: text, ref: maybe(orNull(text)), taskId: maybe(text) }),
  'supervisor.agent_missing': warning('error', {}),
  'supervisor.retry_released': warning('error', {}),
  'supervisor.parked': error('error', {}),
  'supervisor.disk_full': warning('error', {}),
  unexpected: error('error', {}),
  'run.setup_finished': info('agent', {
    command: text,
    exitCode: maybe(orNull(number)),
    durationMs: maybe(number),
    output: maybe(text),
  }),
  'run.setup_skipped': debug('agent', {}),
  'run.worktree_restored': warning('agent', { files: maybe(list(text)) }),
  'git.fetch_failed': warning('git', REMOTE),
  'git.rebased': info('git', { branch: text, baseBranch: text }),
  'git.conflict': warning('git', { files: maybe(list(text)), during: maybe(text), ref: maybe(text) }),
  'git.diverged': warning('git', { ...REMOTE, branch: maybe(text) }),
  'git.base_rewritten': warning('git', REMOTE),
  'worktree.leftovers_restored': info('git', { ref: maybe(text) }),
  'worktree.moved_aside': warning('git', { path: maybe(orNull(text)) }),
  'worktree.files_included': info('git', { copied: maybe(list(text)), left: maybe(list(text)) }),
  'worktree.notice': info('git', { files: maybe(list(text)) }),
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** The data of each type of event. */
export type EventData = { readonly [Type in EventType]: Shaped<(typeof EVENT_TYPES)[Type]['data']> };

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_TYPES, type);
}
