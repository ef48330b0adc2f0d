import { type HistoryEntry, personOf } from '@attractor/api';

/** Who did something, by the name that people know them by: the owner is the owner, whichever program they used. */
export function whoDid(actor: HistoryEntry['actor']): string {
  return personOf(actor) ?? actor.name ?? actor.type;
}
