import type { Inbox } from '@attractor/api';
import type { Loaded } from './answers.ts';
import { useAnswer } from './answers.ts';
import { api } from './api.ts';
import { useProject } from './project.ts';
import { useAfterLog } from './use-after-log.ts';

const SHOWN = 200;
/** What a run waits for can end without an event. */
const LOOK_MS = 30_000;

/** Everything that waits for a person, in the chosen project; the longest wait first. */
export function useInbox(): Loaded<Inbox> {
  const { projectId } = useProject();
  useAfterLog(['inbox']);
  return useAnswer(
    ['inbox', projectId],
    () => api.inbox.list({ limit: SHOWN, ...(projectId === null ? {} : { projectId }) }),
    { every: LOOK_MS },
  );
}

/** How much waits, for the rail, the page's title and its icon. */
export function useWaitingCount(): number {
  const inbox = useInbox();
  return inbox.state === 'ready' ? inbox.value.items.length + inbox.value.left : 0;
}
