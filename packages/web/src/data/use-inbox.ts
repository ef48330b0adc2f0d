import { countWaiting, type Inbox } from '@attractor/api';
import { useMemo } from 'react';
import type { Loaded } from './answers.ts';
import { useAnswer } from './answers.ts';
import { api } from './api.ts';
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
  return useAnswer(
    ['inbox', projectId],
    () => api.inbox.list({ limit: SHOWN, ...(projectId === null ? {} : { projectId }) }),
    isUnderWay ? { every: LOOK_MS } : {},
  );
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
