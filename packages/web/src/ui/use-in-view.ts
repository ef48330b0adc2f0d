import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A row that is wider than a phone scrolls by itself to the part with this `data-part`. */
export function useInView<Row extends HTMLElement>(chosen: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  const shown = useRef('');
  // Also where its parts have come or changed since: whoever scrolled it meanwhile keeps what he sees.
  useLayoutEffect(() => {
    const own = row.current;
    const part = own?.querySelector<HTMLElement>(`[data-part="${CSS.escape(chosen)}"]`) ?? null;
    if (own === null || part === null || shown.current === `${chosen} ${own.scrollWidth}`) return;
    shown.current = `${chosen} ${own.scrollWidth}`;
    const beside = (own.clientWidth - part.offsetWidth) / 2;
    own.scrollLeft = part.offsetLeft - own.offsetLeft - beside;
  });
  return row;
}
