import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refuse } from '../types/refusal.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import * as jobs from '../records/jobs.ts';
import * as projects from '../records/projects.ts';
import { listSteps, saveStep } from '../records/runs.ts';
import { joinStore, nested } from '../database/nested.ts';
import type { Store, Tx } from '../database/store.ts';
import { ABOUT_NOTHING_ELSE, ABOUT_QUEUE, aboutTask, taskSubject } from '../database/subjects.ts';
import { addTicket, ticketsOf } from '../database/tickets.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { unasked } from '../database/unasked.ts';
import { noteEvent, projectRow, putProject, putRun, putTask } from './rows.ts';
import { must } from './world.ts';
import { describeShortKeys } from './short-keys-contract.ts';
import { describeRecords } from './store-records-contract.ts';
import type { Place } from './place.ts';
import { lastSeq } from '../database/last-seq.ts';

/** What every store must satisfy. */
export function describeStore(name: string, makePlace: () => Promise<Place>): void {
  const open = async (place?: Place): Promise<Store> => {
    const store = must(await (place ?? (await makePlace())).open());
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: transactions`, () => {
    it('are kept whole, found again after the store was closed, and taken back whole when they throw', async () => {
      const place = await makePlace();
      const first = must(await place.open());
      const one = await first.transact((tx) => projects.insertProject(tx, projectRow()));
      await first.close();
      const store = await open(place);
      const failing = store.transact(async (tx) => {
        await projects.insertProject(tx, projectRow());
        await appendEvents(tx, [noteEvent('prj_1', 'x')]);
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await projects.listProjects(store.read)).toEqual([one]);
      expect(await lastSeq(store.read)).toBe(0);
    });

    it('are taken back whole when they end in a refusal, which is handed on', async () => {
      const store = await open();
      const refused = await store.transact(async (tx) => {
        await projects.insertProject(tx, projectRow());
        await appendEvents(tx, [noteEvent('prj_1', 'x')]);
        return refuse('blocked', 'Not now.');
      });
      expect(refused).toEqual({ ok: false, error: { code: 'blocked', message: 'Not now.' } });
      expect(await projects.listProjects(store.read)).toEqual([]);
      expect(await lastSeq(store.read)).toBe(0);
      await store.transact((tx) => appendEvents(tx, [noteEvent('prj_1', 'after')]));
      expect(await listEvents(store.read, {})).toMatchObject([{ summary: 'after' }]);
    });

    it('go on after a nested refusal or throw, which takes back its own writes and those nested in it', async () => {
      const store = await open();
      const note = (tx: Tx, summary: string) => appendEvents(tx, [noteEvent('prj_1', summary)]);
      const tickets = await store.transact(async (tx) => {
        const joined = joinStore(store, tx);
        await note(tx, 'outer');
        await joined.transact((inner) => note(inner, 'kept'));
        const refused = await nested(tx, async () => {
          addTicket(tx, { jobId: 'job_1', notBefore: null });
          await joined.transact((inner) => note(inner, 'kept by what is refused around it'));
          return joined.transact(async (inner) => {
            await note(inner, 'refused');
            return refuse('blocked', 'Not now.');
          });
        });
        expect(refused).toMatchObject({ ok: false });
        const thrown = nested(tx, async (inner) => {
          await note(inner, 'thrown');
          throw new Error('stop');
        });
        await expect(thrown).rejects.toThrow('stop');
        const survived = await nested(tx, async () => {
          await joined.transact(async (inner) => {
            await note(inner, 'refused inside');
            return refuse('blocked', 'Not now.');
          });
          await note(tx, 'went on');
          return 'value';
        });
        expect(survived).toBe('value');
        expect((await listEvents(joined.read, {})).length).toBe(3);
        return ticketsOf(tx);
      });
      expect(tickets).toEqual([]);
      const kept = (await listEvents(store.read, {})).map(({ summary }) => summary);
      expect(kept).toEqual(['outer', 'kept', 'went on']);
    });

    it('fail whole where a write failed that nobody asked about, and go on where it was nested', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const run = await store.transact((tx) => putRun(tx, task));
      const note = (tx: Tx, summary: string) => appendEvents(tx, [noteEvent(task.projectId, summary)]);
      const twice = async (tx: Tx): Promise<void> => {
        for (const result of [1, 2]) await saveStep(tx, run.id, { step: 'prepare', ok: true, result });
        await note(tx, 'after the second');
      };
      await expect(store.transact(twice, aboutTask(task.id))).rejects.toThrow(/unique/i);
      const value = await store.transact(async (tx) => {
        await note(tx, 'before');
        await expect(nested(tx, twice)).rejects.toThrow(/unique/i);
        await note(tx, 'gone on');
        return 'value';
      });
      expect(value).toBe('value');
      expect(await listSteps(store.read, run.id)).toEqual([]);
      expect((await listEvents(store.read, {})).map(({ summary }) => summary)).toEqual(['before', 'gone on']);
    });

    it('that ask nothing are written whole or not at all, and the next one goes on', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const run = await store.transact((tx) => putRun(tx, task));
      const save = (...steps: ReadonlyArray<'prepare' | 'context' | 'execute'>) =>
        store.transact(
          async () => 'value',
          aboutTask(task.id),
          async (tx) => {
            for (const step of steps) {
              const row = { run_id: run.id, step, ok: 1, result: 'null', finished_at: '' };
              await unasked(tx.insertInto('run_steps').values(row));
            }
          },
        );
      expect(await save('prepare')).toBe('value');
      await expect(save('context', 'prepare')).rejects.toThrow(/unique/i);
      expect(await save('execute')).toBe('value');
      expect((await listSteps(store.read, run.id)).map(({ step }) => step).toSorted()).toEqual(['execute', 'prepare']);
    });

    it('do what comes first before their work, and nothing else where that throws', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const seen: string[] = [];
      const note = (tx: Tx, summary: string) => appendEvents(tx, [noteEvent(task.projectId, summary)]);
      const first = async (tx: Tx): Promise<void> => void seen.push(`first ${(await listEvents(tx, {})).length}`);
      const work = async (tx: Tx): Promise<void> => {
        seen.push('work');
        await note(tx, transactionTime(tx));
      };
      await store.transact(work, aboutTask(task.id), first);
      await store.transact(work, aboutTask(task.id), first);
      const throwing = store.transact(work, aboutTask(task.id), async (tx) => {
        await first(tx);
        throw new Error('lost');
      });
      await expect(throwing).rejects.toThrow('lost');
      expect(seen).toEqual(['first 0', 'work', 'first 1', 'work', 'first 2']);
      const events = await listEvents(store.read, {});
      expect(events.map(({ at }) => at)).toEqual(events.map(({ summary }) => summary));
      expect(events).toHaveLength(2);
    });

    it('run one after another, from two stores on the same database', async () => {
      const place = await makePlace();
      const [even, odd] = [await open(place), await open(place)];
      await Promise.all(
        Array.from({ length: 20 }, (_item, index) =>
          (index % 2 === 0 ? even : odd).transact(async (tx) => {
            const count = (await projects.listProjects(tx)).length;
            await projects.insertProject(tx, projectRow(`/${count}`));
          }),
        ),
      );
      const paths = (await projects.listProjects((await open(place)).read)).map(({ path }) => path);
      expect(paths.toSorted()).toEqual(Array.from({ length: 20 }, (_item, index) => `/${index}`).toSorted());
    });

    it('give numbers in the order of commits: who reads on after the last number misses nothing', async () => {
      const place = await makePlace();
      const [even, odd] = [await open(place), await open(place)];
      const reader = await open(place);
      const seen: number[] = [];
      const over = new AbortController();
      const follow = (async () => {
        while (!over.signal.aborted || (await lastSeq(reader.read)) > (seen.at(-1) ?? 0)) {
          await sleep(1);
          for (const { seq } of await listEvents(reader.read, { after: seen.at(-1) ?? 0 })) seen.push(seq);
        }
      })();
      await Promise.all(
        Array.from({ length: 40 }, (_item, index) =>
          (index % 2 === 0 ? even : odd).transact((tx) =>
            appendEvents(tx, [noteEvent('prj_1', `${index}`), noteEvent('prj_1', 'more')]),
          ),
        ),
      );
      over.abort();
      await follow;
      expect(seen.length).toBe(80);
      expect(seen).toEqual((await listEvents(reader.read, {})).map(({ seq }) => seq));
    });

    it('hint at changes of their own and of other stores, and tell a time that all share', async () => {
      const place = await makePlace();
      const [one, other] = [await open(place), await open(place)];
      const heard = Promise.withResolvers<unknown>();
      one.onChange(heard.resolve);
      const at = await other.transact(async (tx) => {
        await appendEvents(tx, [noteEvent('prj_1', 'x')]);
        return transactionTime(tx);
      });
      await heard.promise;
      expect((await listEvents(one.read, {}))[0]?.at).toBe(at);
      const before = await one.now();
      expect(await other.now()).toBeGreaterThanOrEqual(before);
    });

    it('hint at changes of the tables that a listener names, here and elsewhere, and tell whose they were', async () => {
      const place = await makePlace();
      const [one, other] = [await open(place), await open(place)];
      for (const [writer, whose] of [[one, 'us'] as const, [other, 'others'] as const]) {
        const heard = Promise.withResolvers<void>();
        one.onChange((by) => by === whose && heard.resolve(), ['jobs', 'events']);
        await writer.transact((tx) => appendEvents(tx, [noteEvent('prj_1', 'x')]));
        await expect(heard.promise).resolves.toBeUndefined();
      }
    });

    it('hint at changes that are about a subject, here and elsewhere, and at those that may be', async () => {
      const place = await makePlace();
      const [one, other] = [await open(place), await open(place)];
      for (const writer of [one, other])
        for (const about of [aboutTask('tsk_1'), undefined, ABOUT_NOTHING_ELSE, ABOUT_QUEUE]) {
          const heard = Promise.withResolvers<unknown>();
          const stop = one.onChange(heard.resolve, ['events'], taskSubject('tsk_1'));
          await writer.transact((tx) => appendEvents(tx, [noteEvent('prj_1', 'x')]), about);
          await expect(heard.promise).resolves.toBeDefined();
          stop();
        }
    });

    it('refuse rows that belong to nothing, and a second running run of a task', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      await expect(store.transact((tx) => jobs.putJob(tx, 'run_none'))).rejects.toThrow(/foreign key/i);
      await store.transact((tx) => putRun(tx, task));
      await expect(store.transact((tx) => putRun(tx, task))).rejects.toThrow(/unique/i);
    });
  });

  describeRecords(name, open);
  describeShortKeys(name, open);

  it(`${name}: two that start at once on nothing both find the whole schema`, async () => {
    const place = await makePlace();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(place)));
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(
      (stores[0] ?? (await open(place))).read,
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });
}
