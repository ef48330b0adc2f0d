import type { Notification } from '@attractor/store';

const SHOWN = 10;
const RANK: ReadonlyArray<Notification['severity']> = ['info', 'success', 'warning', 'error'];

/** Several notifications as one, oldest first. Digests among them are replaced by their parts. */
export function digestOf(notifications: ReadonlyArray<Notification>): Notification {
  const items = notifications.flatMap((one) => (one.items.length > 0 ? one.items : [one]));
  const projects = new Set(items.map(({ context }) => context.projectName));
  const [first] = items;
  const sameTask = new Set(items.map(({ context }) => context.taskId)).size === 1;
  const lines = items.slice(0, SHOWN).map(({ title, body }) => `${title}: ${body}`);
  const more = items.length > SHOWN ? [`… and ${items.length - SHOWN} more`] : [];
  return {
    type: 'digest',
    title: `${items.length} notifications of ${projects.size === 1 ? [...projects].join('') : `${projects.size} projects`}`,
    body: [...lines, ...more].join('\n'),
    severity: RANK.findLast((severity) => items.some((item) => item.severity === severity)) ?? 'info',
    critical: false,
    context: {
      projectId: projects.size === 1 ? (first?.context.projectId ?? '') : '',
      projectName: projects.size === 1 ? (first?.context.projectName ?? '') : '',
      taskId: sameTask ? (first?.context.taskId ?? null) : null,
      taskTitle: sameTask ? (first?.context.taskTitle ?? null) : null,
      agentRunId: null,
      appRoute: sameTask ? (first?.context.appRoute ?? '/') : '/',
    },
    prompt: null,
    items,
    timestamp: items.at(-1)?.timestamp ?? '',
  };
}
