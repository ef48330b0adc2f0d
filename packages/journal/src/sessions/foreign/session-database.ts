import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '@attractor/base';
import type { Fields } from './conversation.ts';

/** The agents that keep all sessions in one database of SQLite. A session in it is named `FILE#ID`. */
export type DatabaseAgent = 'opencode' | 'goose';

type Kept = { readonly list: string; readonly lines: (database: DatabaseSync, id: string) => ReadonlyArray<Fields> };

const KEPT: Readonly<Record<DatabaseAgent, Kept>> = {
  opencode: {
    list: 'SELECT id, time_updated AS updated FROM session ORDER BY time_updated DESC',
    lines: (database, id) => {
      const parts = database.prepare('SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id').all(id);
      const messages = database
        .prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
        .all(id);
      return [
        { info: { ...database.prepare('SELECT directory FROM session WHERE id = ?').get(id) } },
        ...messages.map((message) => ({
          info: fieldsOf(message['data']),
          parts: parts.filter((part) => part['message_id'] === message['id']).map(({ data }) => fieldsOf(data)),
        })),
      ];
    },
  },
  goose: {
    list: 'SELECT id, updated_at AS updated FROM sessions ORDER BY updated_at DESC',
    lines: (database, id) => [
      // Columns came with time: the provider and the model of a session, and who sees a message.
      { ...database.prepare('SELECT * FROM sessions WHERE id = ?').get(id) },
      ...database
        .prepare('SELECT * FROM messages WHERE session_id = ? ORDER BY id')
        .all(id)
        .map((row) => ({
          role: row['role'],
          created: row['created_timestamp'],
          content: valueOf(row['content_json']),
          metadata: valueOf(row['metadata_json']),
        })),
    ],
  },
};

/** The newest first. Throws if it is no such database. */
export function sessionsInDatabase(
  file: string,
  from: DatabaseAgent,
): ReadonlyArray<{ readonly id: string; readonly updatedAt: string }> {
  return withDatabase(file, (database) =>
    database
      .prepare(KEPT[from].list)
      .all()
      .map(({ id, updated }) => ({ id: String(id), updatedAt: timeOf(updated) })),
  );
}

/** The lines of one session; without an id those of the newest. */
export function linesInDatabase(file: string, from: DatabaseAgent, id: string | undefined): ReadonlyArray<Fields> {
  const wanted = id ?? sessionsInDatabase(file, from)[0]?.id;
  return wanted === undefined ? [] : withDatabase(file, (database) => KEPT[from].lines(database, wanted));
}

function withDatabase<Value>(file: string, read: (database: DatabaseSync) => Value): Value {
  // Loaded with the first database: most starts need none.
  const database = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function valueOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

export function fieldsOf(text: unknown): Fields {
  const value = valueOf(text);
  return isRecord(value) ? value : {};
}

function timeOf(value: unknown): string {
  const time = new Date(typeof value === 'number' ? value : `${String(value).replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
