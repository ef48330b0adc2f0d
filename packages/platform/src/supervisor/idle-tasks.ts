import { sql } from 'kysely';
import {
  appendEvents,
  findTask,
  hasOpenPrompt,
  listPipelinesInUse,
  listRuns,
  type PipelineDefinition,
  type Reader,
  transactionTime,
} from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding, once, findingEvent } from './check.ts';

/**
 * A task in a status for agents without an agent for ten minutes: a person is notified, once each time. One that waits for an answer or for
 * its subtasks is not idle.
 */
export const idleTasks: Check = async ({ store, settings }) => {
  const findings: Finding[] = [];
  for (const { id } of await candidates(store.read, settings.idleMs)) {
    const found = await store.transact(async (tx) => {
      const task = await findTask(tx, id);
      if (task === null || Date.parse(transactionTime(tx)) - Date.parse(task.updatedAt) < settings.idleMs) return null;
      if ((await listRuns(tx, { taskId: id, status: 'running' })).length > 0) return null;
      if (await endedLately(tx, id, settings.idleMs)) return null;
      if (!(await once(tx, `idle:${id}:${task.version}`))) return null;
      const summary = `No agent works on this task, although it is "${task.status}": start one, or move it on.`;
      const subject = { projectId: task.projectId, taskId: id, runId: null };
      await appendEvents(tx, [findingEvent(subject, { type: 'supervisor.agent_missing', summary })]);
      return finding('idle-tasks', subject, summary);
    });
    if (found !== null) findings.push(found);
  }
  return findings;
};

const AT_ONCE = 200;

async function candidates(db: Reader, idleMs: number): Promise<ReadonlyArray<{ readonly id: string }>> {
  const before = new Date(Date.now() - idleMs).toISOString();
  const found: Array<{ readonly id: string }> = [];
  for (const pipeline of await listPipelinesInUse(db)) {
    const statuses = agentStatuses(pipeline);
    if (statuses.length === 0) continue;
    const rows = await db
      .selectFrom('tasks')
      .leftJoin('runs', (join) => join.onRef('runs.task_id', '=', 'tasks.id').on('runs.status', '=', 'running'))
      .leftJoin('supervisor_marks', (join) =>
        join.on('supervisor_marks.key', '=', (row) =>
          row.fn<string>('concat', [sql.lit('idle:'), 'tasks.id', sql.lit(':'), 'tasks.version']),
        ),
      )
      .select('tasks.id')
      .where('pipeline_id', '=', pipeline.id)
      .where('pipeline_version', '=', pipeline.version)
      .where('tasks.status', 'in', statuses)
      .where('updated_at', '<', before)
      .where('runs.id', 'is', null)
      .where('supervisor_marks.key', 'is', null)
      .where((task) => task.not(hasOpenPrompt()))
      .where((task) =>
        task.not(
          task.exists(
            task
              .selectFrom('task_splits')
              .select('task_splits.id')
              .whereRef('task_splits.task_id', '=', 'tasks.id')
              .where('settled_at', 'is', null),
          ),
        ),
      )
      .limit(AT_ONCE)
      .execute();
    found.push(...rows);
  }
  return found;
}

const STARTS_AGENT: ReadonlySet<string> = new Set(['start_agent', 'start_phase_agent', 'start_pr_review']);

/** Active statuses that are entered by starting an agent; in others people work. */
export function agentStatuses({ statuses, transitions }: PipelineDefinition): ReadonlyArray<string> {
  const started = new Set(
    transitions.filter(({ hooks = [] }) => hooks.some(({ type }) => STARTS_AGENT.has(type))).map(({ to }) => to),
  );
  return statuses.filter(({ id, category }) => category === 'active' && started.has(id)).map(({ id }) => id);
}

async function endedLately(db: Reader, taskId: string, idleMs: number): Promise<boolean> {
  const after = new Date(Date.now() - idleMs).toISOString();
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', taskId)
    .where('finished_at', '>', after)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
