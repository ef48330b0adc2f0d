import { useEffect } from 'react';

/** What the browser's tab and its history say. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Attractor' : `${title} · Attractor`;
    return () => {
      document.title = 'Attractor';
    };
  }, [title]);
}
