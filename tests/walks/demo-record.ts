import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What one demo left on disk, read from outside while it may be running or dead. */
export type DemoRecord = {
  readonly sample: string;
  readonly events: () => ReadonlyArray<StoredEvent>;
  readonly journal: (mode: 'plan' | 'implement') => ReadonlyArray<JournalEvent>;
};

export type StoredEvent = {
  readonly type: string;
  readonly runId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
};

export type JournalEvent = { readonly kind: string; readonly toolCallId?: string; readonly toolName?: string };

export function demoFolders(home: string): ReadonlyArray<string> {
  const demos = path.join(home, '.attractor', 'demos');
  return existsSync(demos) ? readdirSync(demos).map((name) => path.join(demos, name)) : [];
}

const knownEvents = new Map<string, Read<StoredEvent>>();
const knownJournals = new Map<string, Read<JournalEvent>>();

export function readDemo(folder: string): DemoRecord {
  const database = path.join(folder, 'home', 'attractor.db');
  const events = (): ReadonlyArray<StoredEvent> => readOnce(knownEvents, database, () => readEvents(database));
  return {
    sample: path.join(folder, 'sample'),
    events,
    journal: (mode) => {
      const started = events().find((event) => event.type === 'agent.started' && modeOf(event) === mode);
      return started?.runId === null || started === undefined ? [] : readJournalOf(folder, started.runId);
    },
  };
}

function modeOf(event: StoredEvent): unknown {
  return (event.data['run'] as { readonly mode?: unknown } | undefined)?.mode;
}

type Read<Value> = { readonly stamp: string; readonly value: ReadonlyArray<Value> };

/** Who waits for a moment looks hundreds of times: what was not written to since is not read again. */
function readOnce<Value>(known: Map<string, Read<Value>>, file: string, read: () => ReadonlyArray<Value>) {
  const stamp = [file, `${file}-wal`].map(stampOf).join(' ');
  const before = known.get(file);
  if (before?.stamp === stamp) return before.value;
  const value = read();
  known.set(file, { stamp, value });
  return value;
}

function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function readEvents(file: string): ReadonlyArray<StoredEvent> {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('select type, run_id, data from events order by seq').all();
    return rows.map((row) => ({
      type: String(row['type']),
      runId: row['run_id'] === null ? null : String(row['run_id']),
      data: JSON.parse(String(row['data'])) as StoredEvent['data'],
    }));
  } catch {
    return []; // The tables are not made yet.
  } finally {
    database.close();
  }
}

function readJournalOf(folder: string, runId: string): ReadonlyArray<JournalEvent> {
  const file = path.join(folder, 'home', 'runs', runId, 'session.jsonl');
  if (!existsSync(file)) return [];
  return readOnce(knownJournals, file, () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly event: JournalEvent }).event),
  );
}
