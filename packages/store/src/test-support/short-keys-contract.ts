import { describe, expect, it } from 'vitest';
import type { Store } from '../database/store.ts';
import { findIds } from '../records/find-ids.ts';
import { findProject } from '../records/projects.ts';
import { insertPrompt } from '../records/prompts.ts';
import { removeTask } from '../records/remove.ts';
import { changeProjectKey, findIdByKey } from '../records/short-keys.ts';
import { findTask, updateTask } from '../records/tasks.ts';
import { readKey } from '../types/short-key.ts';
import { putProject, putRun, putTask } from './rows.ts';

/** What people call things, in every store. */
export function describeShortKeys(name: string, open: () => Promise<Store>): void {
  describe(`${name}: short keys`, () => {
    it('are given once, to many at a time, stay through changes, and are free for nobody when the task is gone', async () => {
      const store = await open();
      const project = await putProject(store);
      const tasks = await Promise.all(Array.from({ length: 8 }, () => putTask(store, project)));
      expect(tasks.map(({ key }) => key).toSorted()).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${project.key}-${n}`),
      );
      const last = tasks.find(({ key }) => key === `${project.key}-8`);
      if (last === undefined) throw new Error('No task has the last key');
      await store.transact(async (tx) =>
        expect(await updateTask(tx, last, { title: 'x' })).toMatchObject({ key: last.key }),
      );
      await store.transact((tx) => removeTask(tx, last.id));
      expect(await putTask(store, project)).toMatchObject({ key: `${project.key}-9` });
      const other = await putProject(store);
      expect([other.key === project.key, (await putTask(store, other)).key]).toEqual([false, `${other.key}-1`]);
    });

    it('number runs and questions within the task, and lead to them, by an earlier prefix too', async () => {
      const store = await open();
      const project = await putProject(store);
      const task = await putTask(store, project);
      const [first, second] = await store.transact(async (tx) => {
        const run = await putRun(tx, task);
        await tx.updateTable('runs').set({ status: 'completed' }).execute();
        return [run, await putRun(tx, task)];
      });
      expect([first?.key, second?.key]).toEqual([`${task.key}.1`, `${task.key}.2`]);
      const asked = { taskId: task.id, runId: null, title: 'Why?', type: 'question', payload: {}, key: null } as const;
      const prompt = await store.transact((tx) => insertPrompt(tx, asked));
      const idOf = async (given: string) => {
        const key = readKey(given);
        return key === null ? null : findIdByKey(store.read, key);
      };
      expect(await store.transact((tx) => changeProjectKey(tx, project, 'app2'))).toEqual({ ok: true, value: 'APP2' });
      expect(await findProject(store.read, project.id)).toMatchObject({ key: 'APP2' });
      expect(await findTask(store.read, task.id)).toMatchObject({ key: 'APP2-1' });
      for (const prefix of ['app2-1', task.key]) {
        expect([await idOf(prefix), await idOf(`${prefix}.2`)]).toEqual([task.id, second?.id]);
        expect([await idOf(`${prefix}.Q1`), await idOf(`${prefix}.3`), await idOf(`${prefix}.q2`)]).toEqual([
          prompt.id,
          null,
          null,
        ]);
      }
      expect([await idOf('APP2-2'), await idOf('NONE-1')]).toEqual([null, null]);
      const other = await putProject(store);
      for (const [wanted, code] of [
        ['APP2', 'conflict'],
        [project.key, 'conflict'],
        ['1A', 'invalid'],
        ['A', 'invalid'],
      ] as const)
        expect(await store.transact((tx) => changeProjectKey(tx, other, wanted))).toMatchObject({
          ok: false,
          error: { code },
        });
      expect(
        await store.transact((tx) => changeProjectKey(tx, { ...project, key: 'APP2' }, project.key)),
      ).toMatchObject({ ok: true });
    });

    it('are not all: a part of an id leads to those that contain it', async () => {
      const store = await open();
      const project = await putProject(store);
      const [one, two] = [await putTask(store, project, { title: 'One' }), await putTask(store, project)];
      expect(await findIds(store.read, 'tsk', { part: one.id.slice(-6), limit: 5 })).toEqual({
        found: [{ id: one.id, key: one.key, name: 'One' }],
        total: 1,
      });
      const other = await putTask(store, await putProject(store));
      const newest = [one, two, other]
        .map(({ id }) => id)
        .toSorted()
        .toReversed();
      const shared = { part: one.id.slice(0, 4), limit: 2 };
      const { found, total } = await findIds(store.read, 'tsk', shared);
      expect([found.map(({ id }) => id), total >= 3]).toEqual([newest.slice(0, 2), true]);
      const own = await findIds(store.read, 'tsk', { ...shared, projectIds: [project.id] });
      expect([own.found.map(({ id }) => id), own.total]).toEqual([newest.filter((id) => id !== other.id), 2]);
      expect(await findIds(store.read, 'run', { part: one.id.slice(-6), limit: 5 })).toEqual({ found: [], total: 0 });
      for (const kind of ['prm', 'prj', 'sch', 'tpl', 'bud', 'art', 'att', 'atg', 'pha'] as const)
        await findIds(store.read, kind, { part: '_', limit: 1, projectIds: [project.id] });
    });
  });
}
