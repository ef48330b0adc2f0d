import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { isTold } from '../data/told.ts';
import { useInbox } from '../data/use-inbox.ts';
import { showControls } from '../ui/plain-text.ts';

/** Tells through the browser, where that is allowed, what begins to wait while the page is not in front. */
export function useNotifications(): void {
  const inbox = useInbox();
  const [, navigate] = useLocation();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (inbox.state !== 'ready') return;
    const names = inbox.value.items.map(({ task, prompt }) => prompt?.key ?? `${task.key} waits`);
    const before = known.current;
    known.current = new Set(names);
    if (before === null || !isTold() || document.visibilityState === 'visible') return;
    inbox.value.items.forEach(({ task, prompt, state }, at) => {
      const tag = names[at] ?? task.key;
      if (before.has(tag)) return;
      const body = showControls(prompt?.title ?? state.label);
      const told = new Notification(`${task.key} ${showControls(task.title)}`, { body, tag, icon: '/favicon.svg' });
      const place = `/?item=${encodeURIComponent(prompt?.key ?? task.key)}`;
      told.addEventListener('click', () => {
        window.focus();
        navigate(place);
        told.close();
      });
    });
  }, [inbox, navigate]);
}
