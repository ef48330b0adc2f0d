import type { InboxItem } from '@attractor/api';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { mayNotify } from '../data/notifying.ts';
import { useInbox } from '../data/use-inbox.ts';
import { newsName, newsSentence } from '@attractor/api/shown';

/**
 * Says what begins to wait for a person: to those who hear the page, all of a moment in one sentence; and through the browser, where that
 * is allowed, while the page is not in front.
 */
export function News() {
  const [, navigate] = useLocation();
  const items = useNewItems();
  useEffect(() => {
    if (document.visibilityState === 'visible' || !mayNotify()) return;
    void import('./notify.ts').then(({ notify }) => items.forEach((item) => notify(item, navigate)));
  }, [items, navigate]);
  return (
    <p role="status" aria-label="News" className="sr-only">
      {newsSentence(items)}
    </p>
  );
}

const NONE: ReadonlyArray<InboxItem> = [];

/** What waits now and did not a moment ago; nothing of what waited when the page was opened. */
function useNewItems(): ReadonlyArray<InboxItem> {
  const inbox = useInbox();
  const items = inbox.state === 'ready' ? inbox.value.items : null;
  const known = useRef<ReadonlySet<string> | null>(null);
  const [fresh, setFresh] = useState(NONE);
  useEffect(() => {
    if (items === null) return;
    const before = known.current;
    known.current = new Set(items.map(newsName));
    const now = before === null ? NONE : items.filter((item) => !before.has(newsName(item)));
    if (now.length > 0) setFresh(now);
  }, [items]);
  return fresh;
}
