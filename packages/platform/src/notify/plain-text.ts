import type { OutgoingNotification } from './channel.ts';

const SIGNS = { info: 'ℹ', success: '✔', warning: '⚠', error: '✖' } as const;

/** For a chat: what happened, and a link. */
export function plainText({ notification, link }: OutgoingNotification, limit: number): string {
  const { title, body, severity } = notification;
  const tail = link === null ? '' : `\n${link}`;
  const head = `${SIGNS[severity]} ${title}\n${body}`;
  const room = Math.max(1, limit - tail.length);
  return `${head.length > room ? `${head.slice(0, room - 1)}…` : head}${tail}`;
}
