import type { AgentMessage, PlatformEvent } from '@attractor/platform';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** One event on one line. */
export function eventRow(event: PlatformEvent, style: Style): string {
  const when = event.at.slice(0, 19).replace('T', ' ');
  const text = `${when}  ${typeOf(event).padEnd(22)}  ${style.named(said(event))}`;
  if (event.level === 'error') return style.bad(text);
  return event.level === 'debug' ? style.dim(text) : text;
}

/** A type that this version does not know is marked as unknown, with its name. */
function typeOf(event: PlatformEvent): string {
  return event.type === 'unknown' ? readableText(`unknown: ${event.data.type}`) : event.type;
}

function said(event: PlatformEvent): string {
  const message = event.type === 'agent.message' && event.summary === '' ? event.data.message : null;
  const line = readableText((message === null ? event.summary : wordsOf(message)).replaceAll(/\s+/g, ' ').trim());
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function wordsOf(message: AgentMessage): string {
  if ('toolName' in message) return `${message.kind}: ${message.toolName}`;
  return `${message.kind}: ${message.kind === 'usage' ? '' : message.text}`;
}
