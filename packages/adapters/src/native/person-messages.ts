import { eventOf, type JournalRecord, type SessionEvent } from '@attractor/journal';
import type { PersonMessage } from '../agent.ts';

/**
 * Which messages of people a conversation has, by key. The journal says so: a message is queued there once, however often it is given, and
 * it is taken when the conversation contains it.
 */
export function openPersonMessages(past: ReadonlyArray<JournalRecord>, onTaken: (key: string) => void) {
  const known = new Set<string>();
  // Steering is read in the order in which it was queued; a hook's has no key.
  const queued: Array<string | null> = [];
  const heard = (event: SessionEvent): void => {
    if (event.kind === 'STEERING_QUEUED') {
      queued.push(event.key ?? null);
      if (event.key !== undefined) known.add(event.key);
    }
    if (event.kind === 'STEERING_INJECTED' && event.source === undefined) {
      const key = queued.shift();
      if (typeof key === 'string') onTaken(key);
    }
    // A conversation that was stopped forgets what it had not read.
    if (event.kind === 'SESSION_END' && event.reason === 'aborted')
      for (const key of queued.splice(0)) if (key !== null) known.delete(key);
  };
  for (const record of past) {
    const event = eventOf(record);
    if (event !== null) heard(event);
  }
  return {
    heard,
    isKnown: (key: string): boolean => known.has(key),
    /** Whether it has to be given. Asked once for each key. */
    isNew: ({ key }: PersonMessage): boolean => {
      if (known.has(key)) return false;
      known.add(key);
      return true;
    },
  };
}
