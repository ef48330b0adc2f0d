import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { openedDatabase } from '../../test-support/opened-database.ts';
import { IMPLEMENT } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

const STORES = { SQLite: async () => ({}), PostgreSQL: async () => ({ databaseUrl: await openedDatabase() }) };

it.each(Object.entries(STORES))(
  '%s: a run that needs what no running worker has says what that is',
  async (_name, place) => {
    const platform = await openTestPlatform({ ...(await place()), scripts: [IMPLEMENT], labels: ['gpu'] });
    const { workflow, worker } = platform;
    const { project, task } = await addTask(platform, { path: await makeRepository(), pipelineId: 'simple' });
    const state = async () => (await workflow.taskStates([task.id]))[0]?.state;
    const need = async (labels: ReadonlyArray<string>) =>
      must(await workflow.updateProject(project.id, { config: { labels } }, PERSON));
    await need(['gpu', 'arm']);
    const run = must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await worker.idle();
    const message = 'No running worker has arm, gpu. Start one where it is: attractor worker --labels arm,gpu';
    expect((await workflow.queueState()).jobs).toMatchObject([{ blocked: { code: 'no_labels', message } }]);
    expect(await state()).toMatchObject({ label: 'Queued: for a worker with arm, gpu', detail: message });
    must(await workflow.stopAgent(run.id, PERSON));
    await worker.idle();
    expect((await workflow.getRun(run.id))?.status).toBe('cancelled');
  },
);
