import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStates } from '../../data/use-states.ts';
import { isHead, type Line } from '@attractor/api/shown';
import { useBoardKeys } from './use-board-keys.ts';

/** How many states are asked for at once. */
const BLOCK = 60;
/** A title needs the whole line: the way through the pipeline is on a second one. */
const LINE_PX = { list: 48, rows: 80 } as const;
const HEAD_PX = 36;
/** What stands over the list while it is scrolled. */
const BARS_PX = 64;

/** Of thousands of lines those in view: where each stands, how its task stands, and the one that the keys have chosen. */
export function useShownLines(lines: ReadonlyArray<Line>, kind: keyof typeof LINE_PX) {
  const top = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(top.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (isHeadAt(lines, index) ? HEAD_PX : LINE_PX[kind]),
    overscan: 8,
    scrollMargin: offset,
    scrollPaddingStart: BARS_PX,
    scrollPaddingEnd: BARS_PX,
    getItemKey: useCallback((index: number) => keyAt(lines, index), [lines]),
  });
  const items = virtual.getVirtualItems();
  const from = Math.floor((items[0]?.index ?? 0) / BLOCK) * BLOCK;
  const to = Math.ceil(((items.at(-1)?.index ?? 0) + 1) / BLOCK) * BLOCK;
  const states = useStates(useMemo(() => rowsIn(lines.slice(from, to)).map(({ task }) => task.id), [lines, from, to]));
  const chosen = useBoardKeys(useMemo(() => [{ rows: rowsIn(lines) }], [lines]));
  const at = useMemo(() => lines.findIndex((line) => !isHead(line) && line.task.id === chosen), [lines, chosen]);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [virtual, at]);
  const shown = items.flatMap(({ key, index, start }) => {
    const line = lines[index];
    const style = { transform: `translateY(${start - virtual.options.scrollMargin}px)` };
    return line === undefined ? [] : [{ key, line, style }];
  });
  return { top, height: virtual.getTotalSize(), shown, states, chosen };
}

function isHeadAt(lines: ReadonlyArray<Line>, index: number): boolean {
  const line = lines[index];
  return line !== undefined && isHead(line);
}

function keyAt(lines: ReadonlyArray<Line>, index: number): string | number {
  const line = lines[index];
  if (line === undefined) return index;
  return isHead(line) ? `head ${line.head}` : line.task.id;
}

function rowsIn(lines: ReadonlyArray<Line>) {
  return lines.flatMap((line) => (isHead(line) ? [] : [line]));
}
