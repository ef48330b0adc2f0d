import { spawn } from 'node:child_process';
import fs, { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newId } from '@attractor/base/id';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, must } from '../test-support/world.ts';
import type { Project } from '../types/index.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import { migrate } from './migrate.ts';
import { findProject, insertProject, listProjects } from '../records/projects.ts';
import { sqliteMigrator } from './sqlite.ts';
import { DATABASE_FILE, openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { lastSeq } from './last-seq.ts';

async function open(home = makeFolder()): Promise<Store> {
  const store = must(await openStore({ home }));
  onTestFinished(() => store.close());
  return store;
}

function project(path: string): Project {
  return {
    id: newId('prj'),
    key: '',
    name: 'p',
    path,
    description: '',
    defaultBranch: 'main',
    trustedConfigHash: null,
    config: {},
    createdAt: 'now',
  };
}

const note = (projectId: string, summary: string) =>
  ({ projectId, category: 'note', type: 'note.added', summary, actor: { type: 'system' } }) as const;

describe('a store', () => {
  it('answers a change only after the disk has it, and does other work meanwhile', async () => {
    const store = await open();
    const flushes: Array<() => void> = [];
    const { fdatasync } = fs;
    const later = (file: number, done: fs.NoParamCallback): void => void flushes.push(() => fdatasync(file, done));
    Object.assign(fs, { fdatasync: later });
    syncBuiltinESMExports();
    onTestFinished(() => {
      Object.assign(fs, { fdatasync });
      syncBuiltinESMExports();
    });
    const told: string[] = [];
    onTestFinished(store.onChange(() => told.push('change')));
    const answered: string[] = [];
    const add = (path: string): Promise<unknown> =>
      store.transact((tx) => insertProject(tx, project(path))).then(() => answered.push(path));
    const first = add('/a');
    await expect.poll(() => flushes.length).toBe(1);
    const second = add('/b');
    // Committed, as every reader sees; but nobody was told.
    await expect.poll(async () => (await listProjects(store.read)).length).toBe(2);
    expect([answered, told]).toEqual([[], []]);
    flushes.shift()?.();
    await first;
    expect(answered).toEqual(['/a']);
    await expect.poll(() => flushes.length).toBe(1);
    expect(answered).toEqual(['/a']);
    flushes.shift()?.();
    await second;
    expect([answered, told]).toEqual([
      ['/a', '/b'],
      ['change', 'change'],
    ]);
  });

  it('gives back what was put in, after it was closed too', async () => {
    const home = makeFolder();
    const first = must(await openStore({ home }));
    const one = await first.transact((tx) => insertProject(tx, project('/a')));
    await first.close();
    expect(await findProject((await open(home)).read, one.id)).toEqual(one);
  });

  it('takes back a transaction that throws, whole', async () => {
    const store = await open();
    const failing = store.transact(async (tx) => {
      await insertProject(tx, project('/a'));
      await appendEvents(tx, [note('prj_1', 'x')]);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await listProjects(store.read)).toEqual([]);
    expect(await lastSeq(store.read)).toBe(0);
  });

  it('runs transactions one after another, however many are started at once', async () => {
    const store = await open();
    await store.transact((tx) => insertProject(tx, project('/0')));
    await Promise.all(
      Array.from({ length: 20 }, () =>
        store.transact(async (tx) => {
          const count = (await listProjects(tx)).length;
          await insertProject(tx, project(`/${count}`));
        }),
      ),
    );
    expect((await listProjects(store.read)).map(({ path }) => path)).toEqual(
      Array.from({ length: 21 }, (_item, index) => `/${index}`),
    );
  });

  it('orders events, repeats no number, and stores an event with a key once for its run', async () => {
    const store = await open();
    await store.transact((tx) =>
      appendEvents(tx, [note('prj_1', 'a'), { ...note('prj_1', 'b'), runId: 'run_1', key: 'k' }]),
    );
    await store.transact((tx) =>
      appendEvents(tx, [
        { ...note('prj_1', 'b again'), runId: 'run_1', key: 'k' },
        { ...note('prj_1', 'c'), runId: 'run_2', key: 'k' },
      ]),
    );
    const events = await listEvents(store.read, {});
    expect(events.map(({ summary }) => summary)).toEqual(['a', 'b', 'c']);
    expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(await listEvents(store.read, { after: events[0]?.seq ?? 0, limit: 1 })).toMatchObject([{ summary: 'b' }]);
  });

  it('hints at changes of its own and of other connections', async () => {
    const home = makeFolder();
    const [one, other] = [await open(home), await open(home)];
    let hints = 0;
    const heard = new Promise<void>((resolve) => {
      one.onChange(() => {
        hints += 1;
        resolve();
      });
    });
    await other.transact((tx) => insertProject(tx, project('/a')));
    await heard;
    expect(hints).toBeGreaterThan(0);
  });

  it('hints only at changes of the tables that a listener names, and at nothing where nothing was changed', async () => {
    const store = await open(makeFolder());
    const heard: string[] = [];
    store.onChange(() => heard.push('any'));
    store.onChange(() => heard.push('jobs'), ['jobs']);
    store.onChange(() => heard.push('events'), ['jobs', 'events']);
    await store.transact((tx) => listEvents(tx, {}));
    await store.transact((tx) => tx.updateTable('jobs').set({ attempts: 0 }).where('id', '=', 'job_none').execute());
    expect(heard).toEqual([]);
    await store.transact((tx) => insertProject(tx, project('/a')));
    expect(heard.splice(0)).toEqual(['any']);
    // Deleting takes rows of other tables along.
    await store.transact(async (tx) => {
      await tx.deleteFrom('project_keys').execute();
      await tx.deleteFrom('projects').execute();
    });
    expect(heard.splice(0)).toEqual(['any', 'jobs', 'events']);
    await store.transact((tx) => appendEvents(tx, [note('prj_1', 'a')]));
    expect(heard.splice(0)).toEqual(['any', 'events']);
    await store.transact((tx) => tx.deleteFrom('events').execute());
    expect(heard).toEqual(['any', 'events']);
  });

  it('keeps its files from other users', async () => {
    const home = join(makeFolder(), 'home');
    await open(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    for (const file of [DATABASE_FILE, `${DATABASE_FILE}-wal`])
      expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
  });

  it('refuses rows that belong to nothing', async () => {
    const store = await open();
    const orphan = store.transact((tx) =>
      tx
        .insertInto('run_steps')
        .values({ run_id: 'run_none', step: 'prepare', ok: 1, result: '', finished_at: '' })
        .execute(),
    );
    await expect(orphan).rejects.toThrow(/FOREIGN KEY/);
  });
});

describe('opening a store', () => {
  it('says what to do about a file that is no database', async () => {
    const home = makeFolder();
    writeFileSync(join(home, DATABASE_FILE), 'this is not a database, but it is long enough to be looked at as one');
    const opened = await openStore({ home });
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'database', message: expect.stringContaining('restore a backup') },
    });
  });

  it('leaves a database of a newer version alone', async () => {
    const home = makeFolder();
    await must(await openStore({ home })).close();
    const db = new DatabaseSync(join(home, DATABASE_FILE));
    db.exec(`insert into migrations values ('999-of-the-future', 'now')`);
    db.close();
    expect(await openStore({ home })).toMatchObject({
      ok: false,
      error: { code: 'database', message: expect.stringContaining('newer version') },
    });
  });

  it('says where it may not write', async () => {
    const home = makeFolder();
    mkdirSync(join(home, DATABASE_FILE));
    expect(await openStore({ home })).toMatchObject({
      ok: false,
      error: { code: 'database', message: expect.stringContaining(home) },
    });
  });

  it('works for many processes that start at once on nothing', async () => {
    const home = makeFolder();
    const program = `
      const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, 'open-store.ts'))});
      const opened = await openStore({ home: ${JSON.stringify(home)} });
      if (!opened.ok) { console.error(opened.error.message); process.exit(1); }
      await opened.value.close();`;
    const codes = await Promise.all(Array.from({ length: 4 }, () => exitCode(program)));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await listProjects((await open(home)).read)).toEqual([]);
  });
});

function exitCode(program: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
}

describe('migrations', () => {
  it('run in order, once, and a failing one leaves nothing behind', async () => {
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    const one = { name: '001', sql: 'create table a (id integer) strict' };
    const broken = { name: '002', sql: 'create table b (id integer) strict; create table a (id integer) strict' };
    expect(await migrate(sqliteMigrator(db), [one])).toEqual({ ok: true, value: ['001'] });
    expect(await migrate(sqliteMigrator(db), [one])).toEqual({ ok: true, value: [] });
    await expect(migrate(sqliteMigrator(db), [one, broken])).rejects.toThrow(/already exists/);
    expect(db.prepare(`select name from sqlite_master where name = 'b'`).get()).toBeUndefined();
  });
});
