import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import {
  type AgentRun,
  findPipeline,
  insertPrompt,
  insertProject,
  insertTask,
  type Project,
  saveProviderLimit,
  savePipeline,
  type Store,
} from '@attractor/store';
import { projectRow, putRun, taskRow } from '@attractor/store/testing';

/** A project whose tasks walk the default pipeline. */
export async function putCodingProject(store: Store): Promise<Project> {
  return store.transact(async (tx) => {
    for (const pipeline of BUILT_IN_PIPELINES)
      if ((await findPipeline(tx, pipeline.id, pipeline.version)) === null) await savePipeline(tx, pipeline);
    return insertProject(tx, projectRow());
  });
}

/** Runs in the middle of their work, each with a job in the queue. */
export async function putRuns(store: Store, project: Project, count: number): Promise<ReadonlyArray<AgentRun>> {
  const pipeline = BUILT_IN_PIPELINES.find(({ isDefault }) => isDefault);
  const place = { pipelineId: pipeline?.id ?? '', pipelineVersion: pipeline?.version ?? 1, status: 'implementing' };
  return store.transact(async (tx) => {
    const runs: AgentRun[] = [];
    for (let index = 0; index < count; index += 1) {
      const task = await insertTask(tx, taskRow(project, { ...place, sortOrder: index }), {});
      runs.push(await putRun(tx, task));
    }
    return runs;
  });
}

/** Runs that wait in the queue for something: for their provider, until a time, or for a budget that only a person raises. */
export async function putHeld(store: Store, project: Project, held: { count: number; by: 'provider' | 'budget' }) {
  const runs = await putRuns(store, project, held.count);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await store.transact(async (tx) => {
    const [first] = runs;
    if (held.by === 'provider' && first !== undefined)
      await saveProviderLimit(tx, { account: first.agentType, until, reason: 'Too many requests', runId: first.id });
    const blocked = JSON.stringify({ code: 'budget', message: 'The budget is reached' });
    for (const { id } of held.by === 'budget' ? runs : [])
      await tx.updateTable('jobs').set({ blocked }).where('run_id', '=', id).execute();
  });
}

/** Tasks whose run has ended with a question: as much to show as runs that wait, and no run waits. */
export async function putAsked(store: Store, project: Project, count: number): Promise<void> {
  await putWaiting(store, project, count);
  await store.transact(async (tx) => {
    const finished_at = new Date().toISOString();
    await tx
      .updateTable('runs')
      .set({ status: 'completed', outcome: 'needs_info', finished_at })
      .where('id', 'in', (job) => job.selectFrom('jobs').select('run_id').where('state', '=', 'waiting'))
      .execute();
    await tx.updateTable('jobs').set({ state: 'done', blocked: null }).where('state', '=', 'waiting').execute();
  });
}

/** Runs that asked a person and are nothing but rows: a question, and a job that is nobody's. */
export async function putWaiting(store: Store, project: Project, count: number): Promise<void> {
  const runs = await putRuns(store, project, count);
  await store.transact(async (tx) => {
    for (const { id, taskId } of runs) {
      const blocked = JSON.stringify({ code: 'person', message: 'A person was asked' });
      await tx.updateTable('jobs').set({ state: 'waiting', blocked }).where('run_id', '=', id).execute();
      await insertPrompt(tx, {
        taskId,
        runId: id,
        key: 'call',
        type: 'tool_approval',
        title: 'May it run make?',
        payload: { toolCallId: 'call', toolName: 'shell', input: { command: 'make' } },
      });
    }
  });
}
