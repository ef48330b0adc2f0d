import { type DeliveredEvent, eventOf } from '@attractor/journal';
import { createClaudeEntries, entryName, titleEntry } from '@attractor/stream-json';
import type { HeadlessInput } from './headless-input.ts';

type Mirroring = Pick<HeadlessInput, 'mirror' | 'place' | 'cwd' | 'version' | 'write'> & {
  /** An event as its lines tell it. */
  readonly seen: (event: DeliveredEvent) => DeliveredEvent;
};

type Entry = Readonly<Record<string, unknown>>;

/** Tells each thing that is said once it is stored, and at first what the copy lacks: of a fork all. Empty: nobody keeps a copy. */
export function mirrored({ mirror, ...input }: Mirroring): ReadonlyArray<(event: DeliveredEvent) => void> {
  if (mirror === null) return [];
  const { place, write } = input;
  const [filePath, names] = [mirror.fileOf(place.id), mirror.namesIn(place.id)];
  const tell = (entries: ReadonlyArray<Entry>): void => {
    if (entries.length > 0) write({ type: 'transcript_mirror', filePath, entries });
  };
  const known = lastKnown(place, names);
  const entriesOf = entriesAfter(known.name, input);
  let lastSeq = -1;
  const lacking: Entry[] = [];
  for (const record of place.isNew ? [] : place.journal.records()) {
    lastSeq = record.seq;
    const event = record.seq > known.seq ? eventOf(record) : null;
    if (event !== null) lacking.push(...entriesOf({ ...event, seq: record.seq, at: record.at, sessionId: place.id }));
  }
  tell(lacking);
  return [(event) => (event.seq > lastSeq ? tell(entriesOf(event)) : undefined)];
}

type Known = { readonly seq: number; readonly name: string | null };

/** Up to where the copy has the session. Outputs of commands are not looked at, as they may be in files. */
function lastKnown({ id: sessionId, isNew, journal }: HeadlessInput['place'], names: ReadonlySet<string>): Known {
  let known: Known = { seq: -1, name: null };
  for (const { seq, event } of isNew || names.size === 0 ? [] : journal.records()) {
    const name = entryName(event, { sessionId, seq });
    if (name !== null && names.has(name)) known = { seq, name };
  }
  return known;
}

function entriesAfter(after: string | null, { place, cwd, version, seen }: Omit<Mirroring, 'mirror'>) {
  const sessionId = place.id;
  const entryOf = createClaudeEntries({ sessionId, cwd, version, after });
  return (event: DeliveredEvent): ReadonlyArray<Entry> => {
    if (event.kind === 'CONFIGURED' && event.title !== undefined) return [titleEntry(sessionId, event.title)];
    const entry = entryOf(seen(event));
    return entry === null ? [] : [entry];
  };
}
