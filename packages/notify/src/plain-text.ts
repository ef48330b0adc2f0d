import type { OutgoingNotification } from './channel.ts';

const SIGNS = { info: 'ℹ', success: '✔', warning: '⚠', error: '✖' } as const;

/** For a chat: what happened, what is asked, each answer as a command, and a link. A long question is cut, the answers never. */
export function plainText({ notification, link }: OutgoingNotification, limit: number): string {
  const { title, body, severity, text = '', next = [] } = notification;
  const commands = next.map(({ label, command }) => `\n${label}: ${command}`).join('');
  const tail = `${commands.length > limit / 2 ? '' : commands}${link === null ? '' : `\n${link}`}`;
  const head = `${SIGNS[severity]} ${title}\n${body}${text === '' ? '' : `\n${text}`}`;
  const room = Math.max(1, limit - tail.length);
  return `${head.length > room ? `${head.slice(0, room - 1)}…` : head}${tail}`;
}
