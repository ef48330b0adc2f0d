import type { Prompt } from './prompt.ts';

export const NOTIFICATION_TYPES = [
  'agent.started',
  'agent.completed',
  'agent.failed',
  'agent.timeout',
  'task.status_changed',
  'task.created',
  'task.assigned',
  'pipeline.waiting',
  'pipeline.loop_warning',
  'pipeline.blocked',
  'queue.item_completed',
  'queue.completed',
  'queue.failed',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** For anything but a single notification: a test, or several in one. */
type EnvelopeType = 'test' | 'digest';

/**
 * What a person is told. Made from an event and redacted before it is stored; it contains no token and no address of a channel.
 * `prompt` names the question that waits for an answer; `items` are the parts of a digest, and only a digest has any.
 */
export type Notification = {
  readonly type: NotificationType | EnvelopeType;
  readonly title: string;
  readonly body: string;
  readonly severity: 'info' | 'success' | 'warning' | 'error';
  /** Sent in quiet hours too. */
  readonly critical: boolean;
  readonly context: {
    readonly projectId: string;
    readonly projectName: string;
    readonly taskId: string | null;
    readonly taskTitle: string | null;
    readonly agentRunId: string | null;
    readonly appRoute: string;
  };
  readonly prompt: { readonly id: string; readonly type: Prompt['type']; readonly contentHash: string } | null;
  /** What is asked, in full; only where something is. */
  readonly text?: string;
  /** What a person can do about it, exactly as it is typed; only where a person is needed. */
  readonly next?: ReadonlyArray<{ readonly label: string; readonly command: string }>;
  readonly items: ReadonlyArray<Notification>;
  readonly timestamp: string;
};
