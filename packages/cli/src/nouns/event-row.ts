import type { PlatformEvent } from '@attractor/platform';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** One event on one line. */
export function eventRow(event: PlatformEvent, style: Style): string {
  const when = event.at.slice(0, 19).replace('T', ' ');
  const text = `${when}  ${event.type.padEnd(22)}  ${said(event)}`;
  if (event.level === 'error') return style.bad(text);
  return event.level === 'debug' ? style.dim(text) : text;
}

function said({ summary, data }: PlatformEvent): string {
  const { message } = data;
  const text = summary === '' && typeof message === 'object' && message !== null ? wordsOf({ ...message }) : summary;
  const line = readableText(text.replaceAll(/\s+/g, ' ').trim());
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function wordsOf({ kind, text, toolName, output }: Readonly<Record<string, unknown>>): string {
  const words = [text, toolName, output].find((value) => typeof value === 'string');
  return `${String(kind)}: ${typeof words === 'string' ? words : ''}`;
}
