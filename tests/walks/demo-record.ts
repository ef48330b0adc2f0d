import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

export function readDemo(folder: string): DemoRecord {
  const events = (): ReadonlyArray<StoredEvent> => readEvents(path.join(folder, 'home', 'attractor.db'));
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
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly event: JournalEvent }).event);
}
