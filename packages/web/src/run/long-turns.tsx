import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

type LongTurnsProps = {
  readonly count: number;
  readonly keyOf: (index: number) => string;
  readonly renderTurn: (index: number) => ReactNode;
};

const TURN_PX = 160;

/** Thousands of turns, of which a few screens are drawn. */
export function LongTurns({ count, keyOf, renderTurn }: LongTurnsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  // What stands above may have grown with it.
  useLayoutEffect(() => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)), [count]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => TURN_PX,
    overscan: 4,
    scrollMargin: top,
    getItemKey: keyOf,
    // Drawn in a task of its own, not in the frame that scrolls: what comes next is still below the window.
    useFlushSync: false,
  });
  return (
    <ol
      ref={list}
      aria-label="Transcript"
      className="relative [overflow-anchor:none]"
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          className="absolute inset-x-0 top-0 border-b border-line px-4 py-3"
          style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          {renderTurn(index)}
        </li>
      ))}
    </ol>
  );
}
