import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@attractor/base/id';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { archiveOld } from '../records/archive-database.ts';
import * as artifacts from '../records/artifacts.ts';
import { removeFiles } from '../records/attachment-files.ts';
import * as attachments from '../records/attachments.ts';
import * as dependencies from '../records/dependencies.ts';
import { appendEvents, listActivity, listEvents } from '../records/events.ts';
import { appendHistory, listHistory, listMoves } from '../records/history.ts';
import { insertNote, listNotes } from '../records/notes.ts';
import { insertPhase, listPhases, setPhaseStatus } from '../records/phases.ts';
import * as pipelines from '../records/pipelines.ts';
import * as projects from '../records/projects.ts';
import * as prompts from '../records/prompts.ts';
import { removeProject, removeTask } from '../records/remove.ts';
import * as runs from '../records/runs.ts';
import { TABLES } from '../database/schema.ts';
import type { Store } from '../database/store.ts';
import { countTasks, listTasks, pageTasks } from '../records/task-list.ts';
import { findTask, findTaskOverrides, insertTask, setTaskOverrides, updateTask } from '../records/tasks.ts';
import * as templates from '../records/templates.ts';
import type { Task } from '../types/index.ts';
import { noteEvent, projectRow, putProject, putRun, putTask, runRow, SAMPLE_PIPELINE, taskRow } from './rows.ts';
import { PERSON } from './world.ts';

/** What every store returns of what was put into it, by type of record. */
export function describeRecords(name: string, open: () => Promise<Store>): void {
  describe(`${name}: records`, () => {
    it('projects, pipelines and templates', async () => {
      const store = await open();
      const project = await putProject(store);
      const changed = { ...project, name: 'other', config: { maxConcurrentRuns: 2 } };
      const template = { id: newId('tpl'), name: 'T', description: '', builtIn: false, fields: { tags: ['a'] } };
      await store.transact(async (tx) => {
        await projects.updateProject(tx, changed);
        await projects.setTrustedConfig(tx, project.id, 'hash');
        expect(await pipelines.savePipeline(tx, SAMPLE_PIPELINE)).toBe(false);
        expect(await pipelines.savePipeline(tx, { ...SAMPLE_PIPELINE, version: 2, name: 'Second' })).toBe(true);
        await pipelines.setDefaultPipeline(tx, 'simple');
        await templates.saveTemplate(tx, template);
        await templates.saveTemplate(tx, { ...template, description: 'new' });
      });
      const { read } = store;
      const stored = { ...changed, trustedConfigHash: 'hash' };
      expect(await projects.findProject(read, project.id)).toEqual(stored);
      expect(await projects.findProjectByPath(read, project.path)).toEqual(stored);
      expect(await pipelines.findPipeline(read, 'simple')).toMatchObject({ version: 2, isDefault: true });
      expect(await pipelines.findPipeline(read, 'simple', 1)).toEqual({ ...SAMPLE_PIPELINE, isDefault: true });
      expect((await pipelines.listPipelines(read)).map(({ name: label }) => label)).toEqual(['Second']);
      expect(await pipelines.findDefaultPipeline(read)).toMatchObject({ id: 'simple', version: 2 });
      expect(await pipelines.countTasksOfPipeline(read, 'simple')).toBe(0);
      expect(await templates.listTemplates(read)).toEqual([{ ...template, description: 'new' }]);
      expect(await templates.findTemplateByName(read, 'T')).toEqual(await templates.findTemplate(read, template.id));
      await store.transact((tx) => templates.deleteTemplate(tx, template.id));
      await store.transact((tx) => pipelines.deletePipeline(tx, 'simple'));
      expect(await pipelines.listPipelines(read)).toEqual([]);
      expect(await templates.listTemplates(read)).toEqual([]);
    });

    it('tasks: every field, version by version, by every filter, page by page', async () => {
      const store = await open();
      const project = await putProject(store);
      const given = taskRow(project, {
        title: 'Grüße 100% _sure_',
        tags: ['a', 'b'],
        plan: 'P',
        sortOrder: 0.5,
        acceptanceCriteria: [{ text: 'works', met: true }],
        pendingPayload: { outcome: 'needs_info', payload: { x: [1, null] }, response: null },
        sourceUrl: 'https://example.test/1',
        priority: 'high',
      });
      const full = await store.transact((tx) => insertTask(tx, given, { model: 'm' }));
      expect(await findTask(store.read, full.id)).toEqual(full);
      expect(await findTaskOverrides(store.read, full.id)).toEqual({ model: 'm' });
      const others: Task[] = [];
      for (let index = 0; index < 5; index += 1)
        others.push(
          await putTask(store, project, {
            sortOrder: 5 - index,
            status: index % 2 === 0 ? 'open' : 'done',
            parentTaskId: index === 0 ? full.id : null,
            tags: index === 1 ? ['b'] : [],
          }),
        );
      const next = await store.transact((tx) => updateTask(tx, full, { tags: ['c'], status: 'in_progress' }));
      expect(next).toMatchObject({ version: 2, tags: ['c'] });
      expect(await store.transact((tx) => updateTask(tx, full, { title: 'late' }))).toBeNull();
      await store.transact((tx) => setTaskOverrides(tx, full.id, {}));
      const ids = async (filter: Parameters<typeof listTasks>[1]) =>
        (await listTasks(store.read, filter)).map(({ id }) => id);
      expect(await ids({ projectId: project.id, limit: 2 })).toEqual([others[4]?.id, others[3]?.id]);
      expect(await ids({ before: others[1]?.id ?? '' })).toEqual([others[0]?.id, full.id]);
      expect(await ids({ status: ['done', 'in_progress'] })).toEqual([others[3]?.id, others[1]?.id, full.id]);
      expect(await ids({ tags: ['b', 'c'] })).toEqual([others[1]?.id, full.id]);
      expect(await ids({ search: '100% _SURE' })).toEqual([full.id]);
      expect(await ids({ search: '100_' })).toEqual([]);
      for (const [title, found] of [
        ['An "Übung" in ÄRGER', 'ung" in ÄRG'],
        ['Nothing of it', 'HING of'],
      ] as const) {
        const before = await findTask(store.read, others[2]?.id ?? '');
        if (before === null) throw new Error('no task');
        await store.transact((tx) => updateTask(tx, before, { title }));
        expect([found, await ids({ search: found })]).toEqual([found, [before.id]]);
        expect(await countTasks(store.read, { search: found })).toBe(1);
      }
      expect(await ids({ search: 'ung" in' })).toEqual([]);
      expect(await ids({ search: 'oF' })).toEqual([others[2]?.id]);
      expect(await ids({ parentTaskId: full.id })).toEqual([others[0]?.id]);
      expect((await ids({ parentTaskId: null })).length).toBe(5);
      expect(await ids({ priority: ['high'], size: ['m'], complexity: ['medium'], pipelineId: 'simple' })).toEqual([
        full.id,
      ]);
      expect(await ids({ status: [] })).toEqual([]);
      const first = await pageTasks(store.read, { projectId: project.id, limit: 4 });
      const second = await pageTasks(store.read, { projectId: project.id, limit: 4, after: first.next ?? '' });
      expect([...first.tasks, ...second.tasks].map(({ sortOrder }) => sortOrder)).toEqual([0.5, 1, 2, 3, 4, 5]);
      expect([first.next === null, second.next]).toEqual([false, null]);
      const column = await pageTasks(store.read, { projectId: project.id, status: ['open'] });
      expect(column.tasks.map(({ sortOrder }) => sortOrder)).toEqual([1, 3, 5]);
    });

    it('notes, attachments, phases, dependencies, artifacts', async () => {
      const store = await open();
      const project = await putProject(store);
      const [a, b, c] = [await putTask(store, project), await putTask(store, project), await putTask(store, project)];
      const attachment = {
        id: newId('att'),
        taskId: a.id,
        name: 'x.txt',
        mediaType: 'text/plain',
        size: 3,
        sha256: 'h',
        createdAt: 'now',
      };
      const made = await store.transact(async (tx) => {
        await attachments.insertAttachment(tx, attachment);
        await dependencies.insertDependency(tx, { taskId: a.id, dependsOnId: b.id });
        await dependencies.insertDependency(tx, { taskId: b.id, dependsOnId: c.id });
        const phase = await insertPhase(tx, {
          taskId: a.id,
          name: 'one',
          description: '',
          status: 'pending',
          position: 0,
        });
        const artifact = {
          taskId: a.id,
          runId: null,
          key: 'k',
          type: 'link',
          label: 'l',
          url: null,
          metadata: {},
        } as const;
        return {
          note: await insertNote(tx, { taskId: a.id, text: 'n', author: PERSON }),
          phase: await setPhaseStatus(tx, phase, 'completed'),
          artifact: await artifacts.addArtifact(tx, artifact),
          again: await artifacts.addArtifact(tx, artifact),
          dependency: await dependencies.insertDependency(tx, { taskId: a.id, dependsOnId: b.id }),
        };
      });
      const { read } = store;
      expect(await listNotes(read, a.id)).toEqual([made.note]);
      expect(await listPhases(read, a.id)).toEqual([made.phase]);
      expect(made.again).toBeNull();
      expect(await artifacts.findArtifactByKey(read, a.id, 'k')).toEqual(made.artifact);
      expect(await attachments.findAttachment(read, attachment.id)).toEqual(attachment);
      expect(await attachments.listAttachments(read, a.id)).toEqual([attachment]);
      expect(made.dependency).toBe(false);
      expect((await dependencies.listDependencies(read, a.id)).map(({ id }) => id)).toEqual([b.id]);
      expect((await dependencies.listDependents(read, c.id)).map(({ id }) => id)).toEqual([b.id]);
      expect(await dependencies.findDependencyPath(read, a.id, c.id)).toEqual([a.id, b.id, c.id]);
      expect(await dependencies.findDependencyPath(read, c.id, a.id)).toBeNull();
      const { artifact } = made;
      if (artifact === null) throw new Error('no artifact');
      await store.transact(async (tx) => {
        await artifacts.updateArtifact(tx, { ...artifact, label: 'new' });
        expect(await artifacts.findArtifact(tx, artifact.id)).toMatchObject({ label: 'new' });
        await artifacts.deleteArtifact(tx, artifact.id);
        await attachments.deleteAttachment(tx, attachment.id);
        expect(await dependencies.deleteDependency(tx, { taskId: a.id, dependsOnId: b.id })).toBe(true);
        expect(await dependencies.deleteDependency(tx, { taskId: a.id, dependsOnId: b.id })).toBe(false);
      });
      expect(await artifacts.listArtifacts(read, a.id)).toEqual([]);
    });

    it('runs, steps, prompts and history', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const run = await store.transact((tx) => putRun(tx, task));
      const ended = { ...run, status: 'completed', durationMs: 5, tokenUsage: null, outcome: 'pr_ready' } as const;
      const asked = await store.transact(async (tx) => {
        await runs.requestCancel(tx, run.id);
        await runs.saveStep(tx, run.id, { step: 'prepare', ok: true, result: { a: 1 } });
        await runs.updateRun(tx, ended);
        await appendHistory(tx, {
          taskId: task.id,
          transitionId: 'start',
          from: 'open',
          to: 'in_progress',
          trigger: 'manual',
          actor: PERSON,
          reason: null,
          payload: { p: 1 },
          guardsChecked: ['g'],
          hooksExecuted: [],
        });
        return prompts.insertPrompt(tx, {
          taskId: task.id,
          runId: run.id,
          key: 'k',
          type: 'question',
          title: 'q',
          payload: {},
        });
      });
      const { read } = store;
      expect(await runs.findRun(read, run.id)).toEqual(ended);
      expect(await runs.findRunRequest(read, run.id)).toEqual({ hookParams: {}, overrides: {} });
      expect(await runs.listSteps(read, run.id)).toEqual([{ step: 'prepare', ok: true, result: { a: 1 } }]);
      expect(await runs.listRuns(read, { taskId: task.id, projectId: task.projectId, status: 'completed' })).toEqual([
        ended,
      ]);
      expect(await listMoves(read, task.id)).toEqual([{ from: 'open', to: 'in_progress' }]);
      expect(await listHistory(read, task.id)).toMatchObject([
        { guardsChecked: ['g'], payload: { p: 1 }, actor: PERSON },
      ]);
      expect(await prompts.findPromptByKey(read, run.id, 'k')).toEqual(asked);
      expect(await prompts.listPrompts(read, { taskId: task.id, runId: run.id, status: 'pending' })).toEqual([asked]);
      const answer = { answer: { decision: 'answer', message: 'm' } } as const;
      expect(await store.transact((tx) => prompts.closePrompt(tx, asked, answer))).toMatchObject({
        status: 'answered',
      });
      expect(await store.transact((tx) => prompts.closePrompt(tx, asked, 'cancelled'))).toBeNull();
      expect(await prompts.findPrompt(read, asked.id)).toMatchObject({ status: 'answered', answer: answer.answer });
    });

    it('events: told once by their key, found by every filter; activity without the talk', async () => {
      const store = await open();
      const run = runRow(taskRow(projectRow()));
      const about = { projectId: 'prj_1', actor: { type: 'system' } } as const;
      await store.transact((tx) =>
        appendEvents(tx, [
          noteEvent('prj_1', 'a'),
          { ...noteEvent('prj_1', 'b'), runId: 'run_1', key: 'k' },
          { ...noteEvent('prj_1', 'b again'), runId: 'run_1', key: 'k' },
          { ...noteEvent('prj_2', 'c'), runId: 'run_2', key: 'k', actor: PERSON },
          { ...about, summary: 'talk', type: 'agent.message', data: { message: { key: 'k', kind: 'text', text: '' } } },
          { ...about, summary: 'tool', type: 'agent.tool_use', data: { toolCallId: 'c', toolName: 't', input: {} } },
          { ...about, summary: 'Failed badly', type: 'agent.failed', data: { run } },
        ]),
      );
      const found = async (filter: Parameters<typeof listEvents>[1]) =>
        (await listEvents(store.read, filter)).map(({ summary }) => summary);
      const all = await listEvents(store.read, {});
      expect(await found({})).toEqual(['a', 'b', 'c', 'talk', 'tool', 'Failed badly']);
      expect(await found({ after: all[0]?.seq ?? 0, limit: 1 })).toEqual(['b']);
      expect(await found({ offset: 4 })).toEqual(['tool', 'Failed badly']);
      expect(await found({ category: 'agent', level: ['error', 'debug'] })).toEqual(['tool', 'Failed badly']);
      expect(await found({ actorType: 'user' })).toEqual(['c']);
      expect(await found({ search: 'failed', since: all[0]?.at ?? '', until: all[5]?.at ?? '' })).toEqual([
        'Failed badly',
      ]);
      expect(await found({ runId: 'run_1', projectId: 'prj_1' })).toEqual(['b']);
      const activity = await listActivity(store.read, { projectId: 'prj_1' });
      expect(activity.map(({ summary }) => summary)).toEqual(['Failed badly', 'b', 'a']);
      expect(await listActivity(store.read, { projectId: 'prj_1', before: activity[1]?.seq ?? 0, limit: 1 })).toEqual([
        activity[2],
      ]);
    });

    it('transcripts that were moved into files are read as before, with every filter', async () => {
      const store = await open();
      const home = makeFolder();
      const project = await putProject(store);
      const task = await putTask(store, project);
      const ended = { status: 'completed', finished_at: '2020-01-01T00:00:00.000Z' } as const;
      const [run, other] = await store.transact(async (tx) => {
        const first = await putRun(tx, task);
        await tx.updateTable('runs').set(ended).where('id', '=', first.id).execute();
        return [first, await putRun(tx, task)] as const;
      });
      const about = { projectId: project.id, taskId: task.id, actor: { type: 'system' } } as const;
      const said = (of: string, at: number) => {
        const text = `${of} ${at} ü`;
        const message = { key: `k${at}`, kind: 'text', text } as const;
        return { ...about, runId: of, type: 'agent.message', key: `k${at}`, summary: text, data: { message } } as const;
      };
      const events = Array.from({ length: 24 }, (_, at) =>
        at % 6 === 5
          ? { ...noteEvent(project.id, `note ${at}`), taskId: task.id }
          : said(at % 2 ? run.id : other.id, at),
      );
      await store.transact((tx) => appendEvents(tx, events));
      await store.transact((tx) =>
        tx.updateTable('tasks').set({ updated_at: ended.finished_at }).where('id', '=', task.id).execute(),
      );
      const seqs = (await listEvents(store.read, { taskId: task.id })).map(({ seq }) => seq);
      const FILTERS: ReadonlyArray<Parameters<typeof listEvents>[1]> = [
        {},
        { limit: 5 },
        { limit: 5, offset: 3 },
        { limit: 5, from: 'newest' },
        { limit: 4, offset: 6, from: 'newest' },
        { after: seqs[7] ?? 0, limit: 6 },
        { type: 'agent.message', category: 'agent' },
        { type: ['note.added'] },
        { search: `${run.id} 1` },
        { level: 'error' },
        { runId: run.id },
        { projectId: project.id, since: '2021-01-01T00:00:00.000Z', until: '2999-01-01T00:00:00.000Z' },
        { until: '2021-01-01T00:00:00.000Z' },
      ];
      const read = () => Promise.all(FILTERS.map((filter) => listEvents(store.read, { taskId: task.id, ...filter })));
      const before = await read();
      const none = await archiveOld(store, { home });
      expect(none).toEqual({ ok: true, value: { runs: [], unlimited: [project.key] } });
      const moved = await archiveOld(store, { home, olderThanDays: 30, isTrial: true });
      expect(moved).toMatchObject({ ok: true, value: { runs: [{ events: 8 }], unlimited: [] } });
      // Whoever does it at the same time overwrites nothing, and leaves no second file.
      const both = await Promise.all([1, 2].map(() => archiveOld(store, { home, olderThanDays: 30 })));
      expect(both.flatMap((one) => (one.ok ? one.value.runs : []))).toMatchObject([{ events: 8 }]);
      expect(readdirSync(join(home, 'archive', task.id))).toHaveLength(1);
      const left = await store.read.selectFrom('events').selectAll().where('run_id', '=', run.id).execute();
      expect(left).toEqual([]);
      expect(await read()).toEqual(before);
      expect(await archiveOld(store, { home, olderThanDays: 30 })).toMatchObject({ ok: true, value: { runs: [] } });
      const [file = ''] = readdirSync(join(home, 'archive', task.id)).map((name) =>
        join(home, 'archive', task.id, name),
      );
      writeFileSync(file, 'damaged');
      const [notice, ...rest] = await listEvents(store.read, { runId: run.id });
      expect([notice?.summary, rest]).toEqual([expect.stringContaining(`${file} is damaged`), []]);
      await removeFiles(home, task.id);
      expect((await listEvents(store.read, { runId: run.id }))[0]?.summary).toContain(`in ${file} on`);
      await store.transact((tx) => removeTask(tx, task.id));
      expect(await store.read.selectFrom('run_archives').selectAll().execute()).toEqual([]);
    });

    it('are all gone with their project, and those of others stay', async () => {
      const store = await open();
      const [gone, kept] = [await putProject(store), await putProject(store)];
      const other = await putTask(store, kept);
      const parent = await putTask(store, gone, { tags: ['x'] });
      const child = await putTask(store, gone, { parentTaskId: parent.id });
      await store.transact(async (tx) => {
        const run = await putRun(tx, child);
        await runs.saveStep(tx, run.id, { step: 'prepare', ok: true, result: null });
        await dependencies.insertDependency(tx, { taskId: child.id, dependsOnId: parent.id });
        await insertNote(tx, { taskId: parent.id, text: 'n', author: PERSON });
        await appendEvents(tx, [noteEvent(kept.id, 'kept')]);
        await removeTask(tx, parent.id);
      });
      expect(await findTask(store.read, child.id)).toMatchObject({ parentTaskId: null });
      await store.transact((tx) => removeProject(tx, gone.id));
      const left: Record<string, number> = {};
      for (const table of TABLES) left[table] = (await store.read.selectFrom(table).selectAll().execute()).length;
      expect(left).toEqual({
        ...Object.fromEntries(TABLES.map((table) => [table, 0])),
        projects: 1,
        project_keys: 1,
        pipelines: 1,
        tasks: 1,
        events: 1,
      });
      expect(await findTask(store.read, other.id)).toEqual(other);
    });
  });
}
