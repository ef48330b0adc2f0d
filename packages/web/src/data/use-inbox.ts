import { countWaiting, type Inbox } from '@attractor/api';
import { useMemo } from 'react';
import type { Loaded } from './answers.ts';
import { useAnswer } from './answers.ts';
import { api } from './api.ts';
import { useHidden } from './hidden.ts';
import { useProject } from './project.ts';
import { useIsUnderWay } from './task-list.ts';
import { useAfterLog } from './use-after-log.ts';

const SHOWN = 200;
/** What a run waits for can end without an event. */
const LOOK_MS = 30_000;

/** Everything that waits for a person, in the chosen project; the longest wait first. */
export function useInbox(): Loaded<Inbox> {
  const { projectId } = useProject();
  useAfterLog(['inbox']);
  const isUnderWay = useIsUnderWay();
  const inbox = useAnswer(
    ['inbox', projectId],
    () => api.inbox.list({ limit: SHOWN, ...(projectId === null ? {} : { projectId }) }),
    isUnderWay ? { every: LOOK_MS } : {},
  );
  const hidden = useHidden();
  const value = inbox.state === 'ready' ? inbox.value : null;
  // The same object as long as it says the same: whoever watches it is not called for nothing.
  const shown = useMemo(() => (value === null ? null : without(value, hidden)), [value, hidden]);
  return inbox.state === 'ready' && shown !== null ? { ...inbox, value: shown } : inbox;
}

function without(inbox: Inbox, hidden: ReadonlySet<string>): Inbox {
  const items = inbox.items.filter(({ task }) => !hidden.has(task.id));
  return items.length === inbox.items.length ? inbox : { ...inbox, items };
}

const NOBODY: ReadonlySet<string> = new Set();

/** The tasks that wait for a person; the same set as long as they are the same. */
export function useInboxIds(): ReadonlySet<string> {
  const inbox = useInbox();
  const ids = inbox.state === 'ready' ? inbox.value.items.map(({ task }) => task.id).join(' ') : '';
  return useMemo(() => (ids === '' ? NOBODY : new Set(ids.split(' '))), [ids]);
}

/** How much waits, for the rail, the page's title and its icon. */
export function useWaitingCount(): number {
  const inbox = useInbox();
  return inbox.state === 'ready' ? countWaiting(inbox.value) : 0;
}
