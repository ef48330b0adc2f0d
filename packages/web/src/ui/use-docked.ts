import { type RefObject, useEffect, useRef } from 'react';

/** For what stays at the foot of a page: messages stand above it, not over it. */
export function useDocked<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (part.current === null) return;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(([entry]) =>
      style.setProperty('--docked', `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`),
    );
    watch.observe(part.current);
    return () => {
      watch.disconnect();
      style.removeProperty('--docked');
    };
  }, []);
  return part;
}
