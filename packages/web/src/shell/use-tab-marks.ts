import { useEffect } from 'react';
import { useWaitingCount } from '../data/use-inbox.ts';
import { useShownTitle } from '../ui/use-page-title.ts';

/** The title and the icon of the browser's tab say how much waits. */
export function useTabMarks(): void {
  const count = useWaitingCount();
  const title = useShownTitle();
  useEffect(() => {
    const name = title === '' ? 'Attractor' : `${title} · Attractor`;
    document.title = count === 0 ? name : `(${count}) ${name}`;
  }, [count, title]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = iconOf(count);
  }, [count]);
}

function iconOf(count: number): string {
  if (count === 0) return '/favicon.svg';
  return `/waiting/${count > 9 ? 'many' : count}.svg`;
}
