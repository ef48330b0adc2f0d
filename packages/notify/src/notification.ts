import { promptText } from '@attractor/pipeline';
import {
  answerBy,
  type ByEvent,
  type EventOf,
  type Notification,
  NOTIFICATION_TYPES,
  type NotificationType,
  type PlatformEvent,
  type Prompt,
  type Task,
} from '@attractor/store';
import { answerSteps } from '@attractor/states';

/** The subject of an event in its current state. */
export type EventSubject = {
  readonly projectName: string;
  readonly task: Pick<Task, 'key' | 'title' | 'priority'> | null;
};

type NotificationDraft = {
  readonly type: NotificationType;
  readonly severity: Notification['severity'];
  readonly critical?: true;
  /** Two events with one key are one notification. Absent: each event is its own. */
  readonly key?: string;
};

/** The events that a person may want to know about, and the notification for each. */
const TELLERS: ByEvent<[], NotificationDraft> = {
  'agent.started': ({ runId }) => ({ type: 'agent.started', severity: 'info', ...keyed('started', runId) }),
  'agent.completed': ({ runId }) => ({ type: 'agent.completed', severity: 'success', ...keyed('ended', runId) }),
  'agent.failed': failed,
  'agent.retries_exhausted': always('agent.failed', 'error', 'critical'),
  'agent.limited': ({ runId }) => ({ type: 'pipeline.blocked', severity: 'warning', ...keyed('limited', runId) }),
  'agent.stalled': always('pipeline.blocked', 'warning'),
  'attempts.judged': always('queue.completed', 'success'),
  'branch.conflicted': always('pipeline.blocked', 'warning'),
  'budget.reached': always('pipeline.blocked', 'warning'),
  'git.conflict': always('pipeline.blocked', 'warning'),
  'pr.merge_failed': always('pipeline.blocked', 'error'),
  'queue.job_given_up': always('queue.failed', 'error', 'critical'),
  'schedule.failed': always('queue.failed', 'warning'),
  'supervisor.disk_full': always('pipeline.blocked', 'error', 'critical'),
  'supervisor.parked': always('pipeline.blocked', 'error', 'critical'),
  'supervisor.timeout': ({ runId }) => ({ type: 'agent.timeout', severity: 'error', ...keyed('ended', runId) }),
  'supervisor.reminder_sent': always('pipeline.waiting', 'warning'),
  'task.created': ({ taskId }) => ({ type: 'task.created', severity: 'info', ...keyed('created', taskId) }),
  'status.changed': always('task.status_changed', 'info'),
  'status.blocked': (event) => ({
    type: isLoop(event) ? 'pipeline.loop_warning' : 'pipeline.blocked',
    severity: 'warning',
  }),
  'prompt.created': ({ data }) => ({
    type: 'pipeline.waiting',
    severity: 'warning',
    ...keyed('prompt', shownPrompt(data)?.id ?? null),
  }),
  'notification.raised': raised,
};

export const TOLD_EVENTS: ReadonlyArray<string> = Object.keys(TELLERS);

/** Null if nobody would want to know. Pure; texts are taken from the event unchanged: redact before use. */
export function notificationOf(
  event: PlatformEvent,
  about: EventSubject,
): { readonly notification: Notification; readonly dedupKey: string } | null {
  const told = answerBy(TELLERS, event);
  if (told === undefined) return null;
  const isUrgentTask = about.task?.priority === 'critical' && told.severity !== 'info';
  const taskTitle = about.task?.title ?? null;
  return {
    dedupKey: told.key ?? event.id,
    notification: {
      type: told.type,
      title: taskTitle === null ? about.projectName : `${about.projectName}: ${about.task?.key ?? ''} ${taskTitle}`,
      body: event.summary,
      severity: told.severity,
      critical: told.critical === true || isUrgentTask,
      context: {
        projectId: event.projectId,
        projectName: about.projectName,
        taskId: event.taskId,
        taskTitle,
        agentRunId: event.runId,
        appRoute: event.taskId === null ? '/' : `/tasks/${about.task?.key ?? event.taskId}`,
      },
      prompt: event.type === 'prompt.created' ? shownPrompt(event.data) : null,
      ...(event.type === 'prompt.created' ? asked(event.data.prompt) : onwards(told, about.task)),
      items: [],
      timestamp: event.at,
    },
  };
}

/** The same text and the same answers as in the inbox. */
function asked(prompt: Prompt): Pick<Notification, 'text' | 'next'> {
  return { text: promptText(prompt), next: answerSteps(prompt).map(({ label, command }) => ({ label, command })) };
}

/** Where a person may be needed, the task says for what, also while it goes on by itself. */
function onwards({ severity }: NotificationDraft, task: EventSubject['task']): Pick<Notification, 'next'> {
  if (task === null || (severity !== 'warning' && severity !== 'error')) return {};
  return { next: [{ label: 'See what can be done', command: `attractor tasks get ${task.key}` }] };
}

function always(
  type: NotificationType,
  severity: NotificationDraft['severity'],
  weight?: 'critical',
): () => NotificationDraft {
  return () => ({ type, severity, ...(weight === undefined ? {} : { critical: true }) });
}

/** The last step of a run reports its end too; the same key makes both one notification. */
function raised({ data, runId }: EventOf<'notification.raised'>): NotificationDraft {
  const { status, notificationType } = data;
  if (status !== undefined)
    return status === 'completed'
      ? { type: 'agent.completed', severity: 'success', ...keyed('ended', runId) }
      : { type: 'agent.failed', severity: 'error', ...keyed('ended', runId) };
  const type = NOTIFICATION_TYPES.find((known) => known === notificationType) ?? 'pipeline.waiting';
  return { type, severity: 'info' };
}

/** The task is blocked by the cap on the loop of work and review. */
function isLoop({ data: { options = [] } }: EventOf<'status.blocked'>): boolean {
  return options.some(({ blockedBy }) => blockedBy.some(({ guard }) => guard === 'max_iterations'));
}

function failed({ data, runId }: EventOf<'agent.failed'>): NotificationDraft {
  const timedOut = data.failure?.code === 'timeout';
  return { type: timedOut ? 'agent.timeout' : 'agent.failed', severity: 'error', ...keyed('ended', runId) };
}

function keyed(what: string, id: string | null): { readonly key?: string } {
  return id === null ? {} : { key: `${what}:${id}` };
}

function shownPrompt({ prompt }: EventOf<'prompt.created'>['data']): Notification['prompt'] {
  const { id, type, contentHash } = prompt;
  return type === 'budget' ? null : { id, type, contentHash };
}
