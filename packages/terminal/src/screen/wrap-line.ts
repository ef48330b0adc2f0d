import type { Line, Span } from '../themes/line.ts';
import { cellWidth, clusters, isPlain, mostCells } from '../width/cell-width.ts';
import { safeText } from './safe-text.ts';

/** The rows that a line takes, cut where the terminal itself would cut it, so that nothing moves when it becomes finished text. */
export function wrapLine(line: Line, columns: number): ReadonlyArray<Line> {
  const width = Math.max(2, columns);
  const rows: Span[][] = [[]];
  let used = 0;
  for (const span of line) {
    const text = safeText(span.text).replaceAll('\t', '    ');
    if (isPlain(text)) used = putPlain(rows, { ...span, text }, { used, width });
    else used = putWide(rows, { ...span, text }, { used, width });
  }
  return rows;
}

type Room = { readonly used: number; readonly width: number };

function putPlain(rows: Span[][], span: Span, { used, width }: Room): number {
  let at = 0;
  let filled = used;
  while (at < span.text.length) {
    if (filled >= width) {
      rows.push([]);
      filled = 0;
    }
    const piece = span.text.slice(at, at + width - filled);
    rows.at(-1)?.push({ ...span, text: piece });
    at += piece.length;
    filled += piece.length;
  }
  return filled;
}

function putWide(rows: Span[][], span: Span, { used, width }: Room): number {
  let filled = used;
  let piece = '';
  const put = (): void => {
    if (piece !== '') rows.at(-1)?.push({ ...span, text: piece });
    piece = '';
  };
  for (const cluster of clusters(span.text)) {
    const cells = mostCells(cluster);
    if (filled + cells > width) {
      put();
      rows.push([]);
      filled = 0;
    }
    piece += cluster.text;
    filled += cells;
  }
  put();
  return filled;
}

/** The line in one row: what does not fit is left out, and a mark says so. */
export function cutLine(line: Line, columns: number): Line {
  if (widthOf(line) <= columns) return line;
  const [first = []] = wrapLine(line, Math.max(2, columns - 1));
  return [...first, { text: '…', role: 'dim' }];
}

export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellWidth(safeText(text).replaceAll('\t', '    ')), 0);
}
