import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { fillTables, stuff } from '../test-support/fill-tables.ts';
import { sharedDatabase } from '../test-support/shared-database.ts';
import { putProject, putRun, putTask } from '../test-support/rows.ts';
import { makeFolder, must, PERSON, runs } from '../test-support/world.ts';
import type { Task } from '../types/index.ts';
import { addArtifact } from '../records/artifacts.ts';
import { backupDatabase, restoreDatabase } from './backup.ts';
import { insertDependency } from '../records/dependencies.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { moveDatabase } from './move.ts';
import { insertNote, listNotes } from '../records/notes.ts';
import { listPrompts } from '../records/prompts.ts';
import { postgresMigrator } from './postgres-migrator.ts';
import { removeTask } from '../records/remove.ts';
import { saveStep } from '../records/runs.ts';
import { TABLES } from './schema.ts';
import { sqliteMigrator } from './sqlite.ts';
import { DATABASE_FILE, openStore, type StoreLocation } from './open-store.ts';
import type { Store } from './store.ts';

async function withStore<Value>(location: StoreLocation, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = must(await openStore(location));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Every row of every table, in an order of its own. */
function content(location: StoreLocation): Promise<Record<string, ReadonlyArray<string>>> {
  return withStore(location, async (store) => {
    const all: Record<string, ReadonlyArray<string>> = {};
    for (const table of TABLES) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(store.read);
      all[table] = rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
    }
    return all;
  });
}

const words = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
const plan = fc.record({
  titles: fc.array(words, { minLength: 1, maxLength: 6 }),
  notes: fc.array(words, { maxLength: 5 }),
  events: fc.integer({ min: 0, max: 450 }),
  removesLast: fc.boolean(),
});

async function fill(store: Store, given: typeof plan extends fc.Arbitrary<infer Value> ? Value : never): Promise<void> {
  const project = await putProject(store);
  const parent = await putTask(store, project, { title: 'parent', tags: ['x'] });
  // A child whose id sorts before its parent's: the order of ids is not the order of need.
  await putTask(store, project, { id: 'tsk_0', parentTaskId: parent.id });
  const tasks: Task[] = [];
  for (const title of given.titles)
    tasks.push(await putTask(store, project, { title, sortOrder: 0.1, tags: [title || 'y'] }));
  await store.transact(async (tx) => {
    const run = await putRun(tx, parent);
    await saveStep(tx, run.id, { step: 'prepare', ok: true, result: { deep: [null, 1.5] } });
    await addArtifact(tx, {
      taskId: parent.id,
      runId: run.id,
      key: 'k',
      type: 'link',
      label: 'l',
      url: null,
      metadata: {},
    });
    for (const { id } of tasks) await insertDependency(tx, { taskId: parent.id, dependsOnId: id });
    for (const text of given.notes) await insertNote(tx, { taskId: parent.id, text, author: PERSON });
    await appendEvents(
      tx,
      Array.from({ length: given.events }, (_item, index) => ({
        projectId: project.id,
        taskId: tasks[0]?.id ?? null,
        type: 'note.added',
        summary: `${index}`,
        actor: PERSON,
      })),
    );
    if (given.removesLast && tasks[0] !== undefined) await removeTask(tx, tasks[0].id);
  });
}

describe('a move between databases', () => {
  it('from SQLite to PostgreSQL and back keeps every row, and numbers go on from where they were', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const [home, back] = [makeFolder(), makeFolder()];
        const databaseUrl = await sharedDatabase();
        await withStore({ home }, (store) => fill(store, given));
        const before = await content({ home });
        const moved = must(await moveDatabase({ home }, { databaseUrl }));
        expect(moved.events).toBe(before['events']?.length);
        must(await moveDatabase({ databaseUrl }, { file: join(back, 'attractor.db') }));
        expect(await content({ databaseUrl })).toEqual(before);
        expect(await content({ home: back })).toEqual(before);
        const next = (location: StoreLocation) =>
          withStore(location, async (store) => {
            await store.transact((tx) =>
              appendEvents(tx, [{ projectId: 'p', type: 'note.added', summary: 'next', actor: PERSON }]),
            );
            return (await listEvents(store.read, { search: 'next', limit: 1 }))[0]?.seq;
          });
        const numbers = [await next({ home }), await next({ databaseUrl }), await next({ home: back })];
        expect(new Set(numbers).size).toBe(1);
      }),
      { numRuns: runs(4) },
    );
  });

  it('keeps what is random in every single table', async () => {
    await fc.assert(
      fc.asyncProperty(stuff, async (given) => {
        const [home, back] = [makeFolder(), makeFolder()];
        const databaseUrl = await sharedDatabase();
        await withStore({ home }, async () => undefined);
        const db = new DatabaseSync(join(home, DATABASE_FILE));
        fillTables(db, given);
        db.close();
        const before = await content({ home });
        for (const [table, rows] of Object.entries(before)) expect([table, rows.length]).toEqual([table, given.rows]);
        must(await moveDatabase({ home }, { databaseUrl }));
        expect(await content({ databaseUrl })).toEqual(before);
        must(await moveDatabase({ databaseUrl }, { home: back }));
        expect(await content({ home: back })).toEqual(before);
      }),
      { numRuns: runs(2), examples: [[{ rows: 230, texts: ['ö'], numbers: [-1, 7], reals: [0.1], gaps: [true] }]] },
    );
  });

  it('is refused where the target holds something, and changes nothing there', async () => {
    const [home, other] = [makeFolder(), makeFolder()];
    for (const place of [home, other]) await withStore({ home: place }, putProject);
    const before = await content({ home: other });
    expect(await moveDatabase({ home }, { home: other })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await content({ home: other })).toEqual(before);
  });

  it('says what is wrong with an address', async () => {
    const home = makeFolder();
    expect(await moveDatabase({ home }, { databaseUrl: 'postgres://nobody@127.0.0.1:1/x' })).toMatchObject({
      ok: false,
      error: { code: 'database' },
    });
  });
});

describe('a backup', () => {
  it('is whole though others write meanwhile, and comes back with what was there kept', async () => {
    const home = makeFolder();
    const file = join(makeFolder(), 'copy.db');
    const [taskId, count] = await withStore({ home }, async (store) => {
      const task = await putTask(store, await putProject(store));
      const write = (text: string) => store.transact((tx) => insertNote(tx, { taskId: task.id, text, author: PERSON }));
      await write('first');
      await Promise.all([backupDatabase(home, file), write('second'), write('third')]);
      return [task.id, (await listNotes(store.read, task.id)).length] as const;
    });
    expect(count).toBe(3);
    expect(await backupDatabase(home, file)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const restored = must(await restoreDatabase(home, file));
    const notes = await withStore({ home }, (store) => listNotes(store.read, taskId));
    expect(notes[0]?.text).toBe('first');
    expect(readdirSync(home)).toContain(restored.kept?.split('/').at(-1));
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
  });

  it('that is none is refused, and nothing changes', async () => {
    const home = makeFolder();
    await withStore({ home }, putProject);
    const file = join(makeFolder(), 'x.db');
    writeFileSync(file, 'no database at all, though it is long enough to look like a file of some kind');
    const before = await content({ home });
    expect(await restoreDatabase(home, file)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(await restoreDatabase(home, `${file}.none`)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await content({ home })).toEqual(before);
  });
});

describe('an older database', () => {
  const versions = MIGRATIONS.map(({ name }, index) => ({ name, migrations: MIGRATIONS.slice(0, index + 1) }));

  it.for(versions)('of version $name is brought up to date with every row', async ({ migrations }) => {
    const home = makeFolder();
    const db = new DatabaseSync(join(home, DATABASE_FILE));
    must(await migrate(sqliteMigrator(db), migrations));
    fillTables(db, { rows: 3, texts: ['x', 'ü'], numbers: [4, 5, 6], reals: [1.5], gaps: [true, false] });
    const rowsOf = (table: string) => db.prepare(`select * from ${table}`).all();
    const before = TABLES.filter((table) => rowsExist(db, table)).map((table) => ({ table, rows: rowsOf(table) }));
    // Two that find it old at the same time: both wait for the one that changes it.
    const stores = await Promise.all([openStore({ home }), openStore({ home })]);
    for (const store of stores) await must(store).close();
    for (const { table, rows } of before) {
      const grown = rowsOf(table);
      expect(grown.map((row, index) => pick(row, Object.keys(rows[index] ?? {})))).toMatchObject(
        rows.map((row) => CHANGED[table]?.(row) ?? row),
      );
    }
    for (const table of TABLES) expect(() => rowsOf(table)).not.toThrow();
    db.close();
  });

  it('on PostgreSQL is brought up to date by several that start at once, from versions of every age', async () => {
    // All of them in a soak; each is a database of its own.
    const tried = versions.filter((_, at) => process.env['SOAK'] === '1' || at % 5 === 0 || at === versions.length - 2);
    for (const { migrations } of tried) {
      const databaseUrl = await sharedDatabase();
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      must(await migrate(postgresMigrator(client), migrations));
      await client.end();
      const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl })));
      for (const store of stores) await must(store).close();
      expect(Object.keys(await content({ databaseUrl }))).toEqual([...TABLES]);
    }
  });

  it('on PostgreSQL has its projects, tasks, runs and questions named in the order in which they were made', async () => {
    const databaseUrl = await sharedDatabase();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    must(await migrate(postgresMigrator(client), MIGRATIONS.slice(0, 9)));
    await client.query(`
      insert into projects (id, name, path, description, default_branch, created_at)
        values ('prj_2', 'it''s a web-app', '/b', '', 'main', '2'), ('prj_1', 'My text', '/a', '', 'main', '1');
      insert into pipelines values ('p', 1, 0, '{}', '');`);
    for (const id of ['tsk_2', 'tsk_1'])
      await client.query(`
        insert into tasks (id, project_id, title, description, status, pipeline_id, pipeline_version, priority, size, complexity, tags,
          overrides, version, created_at, updated_at)
        values ('${id}', 'prj_2', '', '', '', 'p', 1, '', '', '', '[]', '{}', 1, '${id}', '')`);
    await client.query(`
      insert into runs (id, task_id, project_id, agent_type, mode, status, model, checks, started_at, hook_params, overrides)
        values ('run_1', 'tsk_2', 'prj_2', '', 'plan', 'completed', '', '[]', '', '{}', '{}');
      insert into prompts (id, task_id, type, title, payload, content_hash, status, created_at)
        values ('prm_1', 'tsk_2', 'question', '', '{}', '', 'pending', '')`);
    await client.end();
    const { read, close } = must(await openStore({ databaseUrl }));
    const named = async (table: 'projects' | 'tasks' | 'runs') =>
      (await read.selectFrom(table).select(['id', 'key']).orderBy('id').execute()).map(({ id, key }) => `${id} ${key}`);
    expect([await named('projects'), await named('tasks'), await named('runs')]).toEqual([
      ['prj_1 MT', 'prj_2 ISAW'],
      ['tsk_1 ISAW-1', 'tsk_2 ISAW-2'],
      ['run_1 ISAW-2.1'],
    ]);
    expect((await listPrompts(read, {})).map(({ key }) => key)).toEqual(['ISAW-2.q1']);
    await close();
  });
});

/** What a migration says anew of old rows. */
const CHANGED: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => object>> = {
  tasks: ({ sort_order: _order, ...row }) => row,
  jobs: ({ project_id: _project, agent_type: _agent, account: _account, ...row }) => row,
};

function pick(row: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function rowsExist(db: DatabaseSync, table: string): boolean {
  return db.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined;
}

it('a database that is moved into itself is refused at once, by whatever name it is called', async () => {
  const [home, databaseUrl] = [makeFolder(), await sharedDatabase()];
  const twice: ReadonlyArray<readonly [StoreLocation, StoreLocation]> = [
    [{ databaseUrl }, { databaseUrl: databaseUrl.replace('127.0.0.1', 'localhost') }],
    [{ home }, { file: join(home, DATABASE_FILE) }],
  ];
  for (const [from, to] of twice)
    expect(await moveDatabase(from, to)).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('the same database; nothing was moved') },
    });
});
