import { useSyncExternalStore } from 'react';

/** From here on two columns of code fit beside each other. */
const WIDE = '(min-width: 768px)';

/** Whether the window has room for things side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(WIDE).matches);
}

function listen(listener: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
