import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeFolder, must } from '../test-support/world.ts';
import { createChanges } from './changes.ts';
import { openStore } from './open-store.ts';
import { ABOUT_QUEUE, aboutTask, type Subjects, taskSubject } from './subjects.ts';
import { bothWritten, createWriteNotes, OWNERS, readWritten, writtenAbout, writtenText } from './written.ts';

function tablesOf(...statements: ReadonlyArray<string>): ReadonlyArray<string> | null {
  const notes = createWriteNotes();
  notes.begin();
  for (const text of statements) notes.note(text);
  const written = notes.written();
  return written === null ? null : [...written];
}

describe('what a transaction wrote', () => {
  it('is known for plain changes of one table, and may be anything for others', () => {
    expect(tablesOf('insert into "events" ("id") values ($1)', 'update "runs" set "x" = $1', 'select 1')).toEqual([
      'events',
      'runs',
    ]);
    for (const column of ['cancel_requested', 'overrides'])
      expect(tablesOf(`update "runs" set "${column}" = $1 where "id" = $2`)).toEqual(['runs', 'run_wishes']);
    expect(tablesOf('insert into "runs" ("id") values ($1)')).toEqual(['runs', 'run_wishes']);
    expect(tablesOf('delete from "run_files" where "run_id" = $1')).toEqual(['run_files']);
    expect(tablesOf('delete from "tasks" where "id" = $1')).toBeNull();
    expect(tablesOf('with x as (select 1) insert into "events" select * from x')).toBeNull();
    expect(tablesOf('WITH ins AS ( INSERT INTO attractor_boss.job_common (id) VALUES (1) ) SELECT 1')).toEqual([]);
  });

  it('is more than one table where the schema deletes along: exactly those count as owners', async () => {
    const store = must(await openStore({ home: makeFolder() }));
    const { rows } = await sql<{ owner: string }>`select distinct f."table" as owner from sqlite_master m,
      pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(store.read);
    await store.close();
    expect(rows.map(({ owner }) => owner).toSorted()).toEqual([...OWNERS].toSorted());
  });

  it('is told to others as it is, or as anything', () => {
    const one = writtenAbout(new Set(['events']), aboutTask('tsk_1'));
    const other = writtenAbout(new Set(['runs']), aboutTask('tsk_2'));
    expect(readWritten(writtenText(bothWritten(one, other), 'me'))).toEqual({
      tables: new Set(['events', 'runs']),
      subjects: new Set(['task:tsk_1', 'task:tsk_2']),
    });
    const many = Array.from({ length: 100 }, (_, number) => taskSubject(`tsk_${number}`));
    expect(readWritten(writtenText(writtenAbout(new Set(['runs']), many), 'me')).subjects).toBeNull();
    // As versions before told it, who did not name wishes.
    expect(readWritten('events,runs,@me')).toEqual({
      tables: new Set(['events', 'runs', 'run_wishes']),
      subjects: null,
    });
    expect(readWritten('events,@me')).toEqual({ tables: new Set(['events']), subjects: null });
    expect(readWritten('')).toEqual({ tables: null, subjects: null });
  });

  it.each<[string, Subjects | undefined, boolean]>([
    ['its own task', aboutTask('tsk_1'), true],
    ['its own task among others', [...aboutTask('tsk_2'), ...aboutTask('tsk_1')], true],
    ['another task', aboutTask('tsk_2'), false],
    ['the queue', ABOUT_QUEUE, true],
    ['nothing else', [], true],
    ['anything', undefined, true],
  ])('is heard by who listens for a task, if it was about %s', (_, about, isHeard) => {
    const changes = createChanges();
    let heard = false;
    changes.listen(() => (heard = true), ['runs'], taskSubject('tsk_1'));
    changes.tell(writtenAbout(new Set(['runs']), about), 'us');
    expect(heard).toBe(isHeard);
  });
});
