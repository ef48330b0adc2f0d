import { personOf } from '@attractor/store/types';
import type { HistoryEntry } from '../views/task.ts';

/** Who did something, by the name that people know them by: the owner is the owner, whichever program they used. */
export function whoDid(actor: HistoryEntry['actor']): string {
  return personOf(actor) ?? actor.name ?? actor.type;
}
