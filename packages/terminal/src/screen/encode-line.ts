import type { Line, Span } from '../themes/line.ts';
import type { Theme } from '../themes/themes.ts';
import { safeText } from './safe-text.ts';

/** A line as bytes for a terminal, with the colours of a theme and none left on at its end. Everything that is shown passes here. */
export function encodeLine(line: Line, theme: Theme): string {
  let encoded = '';
  for (const span of line) {
    const parameters = parametersOf(span, theme);
    const text = safeText(span.text);
    encoded += parameters === '' ? text : `\u001b[${parameters}m${text}\u001b[0m`;
  }
  return encoded;
}

function parametersOf({ role = 'plain', bold, italic, underline }: Span, { roles, isPlain }: Theme): string {
  const base = roles[role];
  if (bold === undefined && italic === undefined && underline === undefined) return base;
  if (isPlain) return bold === true ? '1' : '';
  const further = [bold === true ? '1' : '', italic === true ? '3' : '', underline === true ? '4' : ''];
  return [base, ...further].filter((parameter) => parameter !== '').join(';');
}
