import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A row that is wider than a phone scrolls by itself to the part with this `data-part`. */
export function useInView<Row extends HTMLElement>(chosen: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useLayoutEffect(() => {
    const own = row.current;
    const part = own?.querySelector<HTMLElement>(`[data-part="${CSS.escape(chosen)}"]`) ?? null;
    if (own === null || part === null) return;
    const beside = (own.clientWidth - part.offsetWidth) / 2;
    own.scrollLeft = part.offsetLeft - own.offsetLeft - beside;
  }, [chosen]);
  return row;
}
