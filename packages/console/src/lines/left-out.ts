import type { Left } from '@attractor/api';
import { putText } from '../terminal/put.ts';
import type { Output } from './print.ts';
import type { Style } from '../terminal/style.ts';

/** How the rest of a list can be had: `--limit 140`. */
export type LeftOut = { readonly left: Left; readonly how: string };

/** No list ends early without a word: for people it is the last line, for scripts a line on stderr. */
export function tellLeft({ output, style }: { readonly output: Output; readonly style: Style }, out: LeftOut): void {
  if (out.left === 0) return;
  const text = `… ${out.left === 'some' ? 'and more' : `${out.left} more`}: ${out.how}`;
  if (output.mode === 'people') output.write(`${style.dim(text)}\n`);
  else putText(process.stderr, `attractor: not all is listed ${text}\n`);
}

/** A number of rows with which nothing, or at least the next part, is shown. */
export function moreRows(shown: number, left: Left, most = 1000): string {
  return `--limit ${Math.min(most, left === 'some' ? shown * 2 : shown + left)}`;
}
