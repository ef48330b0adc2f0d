import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addArtifact,
  type AgentRun,
  findRun,
  findTask,
  listPrompts,
  listRuns,
  openStore,
  type PipelineDefinition,
  type Project,
  type Store,
  type Task,
  type Trigger,
  updateRun,
  updateTask,
} from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putTask, runs } from '@attractor/store/testing';
import { BUILT_IN_PIPELINES } from './builtin/index.ts';
import { fire, moveTo, readOptions } from './engine.ts';
import { offeredOutcomes } from './offered-outcomes.ts';
import { OUTCOME_SCHEMAS } from './outcomes/schemas.ts';

/** A pipeline that has no place for anything that an agent could say. */
const SILENT: PipelineDefinition = {
  id: 'silent',
  version: 1,
  name: 'Silent',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'work', label: 'Work', color: 'blue', category: 'active', position: 1 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 2 },
  ],
  transitions: [
    {
      id: 'start',
      from: 'open',
      to: 'work',
      label: 'Start',
      trigger: { type: 'manual' },
      hooks: [{ type: 'start_agent', params: { mode: 'implement' } }],
    },
    {
      id: 'finish',
      from: 'work',
      to: 'done',
      label: 'Finish',
      trigger: { type: 'agent_outcome', outcome: 'approved' },
      guards: [{ type: 'has_final_pr' }],
    },
  ],
};

const PAYLOADS: Readonly<Record<string, unknown>> = {
  needs_info: { questions: [{ id: 'q1', question: 'Which?' }] },
  options_proposed: { summary: 's', options: ['a', 'b'].map((id) => ({ id, label: id, description: id })) },
  changes_requested: { summary: 's', comments: [{ comment: 'c', severity: 'nit' }] },
  no_change: { reason: 'r' },
  clarified: { clarified_query: 'q' },
  propose_split: { reason: 'r', subtasks: [{ name: 'a', title: 'A' }] },
};

/** What happens next: a choice among what is possible then, by a number. */
const acts = fc.array(fc.record({ by: fc.constantFrom('agent', 'person', 'failure'), pick: fc.nat(1000) }), {
  minLength: 1,
  maxLength: 14,
});

describe('no task is left without a next step', () => {
  it.each([...BUILT_IN_PIPELINES, SILENT].map((pipeline) => [pipeline.id, pipeline] as const))(
    'in %s, whatever agents report and people decide',
    async (_id, pipeline) => {
      const store = must(await openStore({ home: makeFolder() }));
      const project = await putProject(store, pipeline);
      await fc.assert(
        fc.asyncProperty(acts, async (steps) => {
          const { id } = await begin(store, project, pipeline);
          for (const step of steps) {
            await act(store, { id, pipeline }, step);
            const { task, next } = await look(store, id, pipeline);
            const where = `${task.status} after ${JSON.stringify(steps)}`;
            expect(next.length > 0 || pipeline.terminalStatuses.includes(task.status), where).toBe(true);
          }
        }),
        { numRuns: runs(12) },
      );
      await store.close();
    },
  );
});

/** With a plan, a branch and a pull request: guards that ask for them do not end a walk early. */
async function begin(store: Store, project: Project, pipeline: PipelineDefinition): Promise<Task> {
  const { id: pipelineId, version: pipelineVersion, initialStatus: status } = pipeline;
  const task = await putTask(store, project, { pipelineId, pipelineVersion, status, plan: 'P' });
  await store.transact(async (tx) => {
    for (const type of ['branch', 'pull_request'] as const)
      await addArtifact(tx, {
        taskId: task.id,
        runId: null,
        key: type,
        type,
        label: type,
        url: null,
        metadata: { state: 'open' },
      });
  });
  return task;
}

/** The steps that can be taken: an agent at work, a question to answer, a move by hand that is open. */
async function look(store: Store, id: string, pipeline: PipelineDefinition) {
  const task = await findTask(store.read, id);
  if (task === null) throw new Error('gone');
  const working = await listRuns(store.read, { taskId: id, status: 'running' });
  const asked = await listPrompts(store.read, { taskId: id, status: 'pending' });
  const moves = (await readOptions(store.read, task, { pipeline, trigger: { type: 'manual' } })).filter(
    ({ allowed, transition }) => allowed && transition.id !== 'cancel',
  );
  return { task, working, moves, next: [...working, ...asked, ...moves] };
}

type Act = { readonly by: string; readonly pick: number };

async function act(
  store: Store,
  { id, pipeline }: { readonly id: string; readonly pipeline: PipelineDefinition },
  { by, pick }: Act,
): Promise<void> {
  const { task, working, moves } = await look(store, id, pipeline);
  const [run] = working;
  if (by === 'person' || run === undefined) {
    const move = moves[pick % Math.max(1, moves.length)];
    const trigger = { type: 'manual' } as const;
    if (move !== undefined)
      await store.transact((tx) =>
        moveTo(tx, { task, pipeline, to: move.transition.to }, { trigger, actor: PERSON, defaultAgentType: 'a' }),
      );
    return;
  }
  const offered = offeredOutcomes(pipeline, { status: task.status, mode: run.mode, canSplit: true }).map(
    ({ outcome }) => outcome,
  );
  const names = [...offered, ...Object.keys(OUTCOME_SCHEMAS)];
  await end(store, { run, task, pipeline, outcome: by === 'failure' ? null : (names[pick % names.length] ?? null) });
}

/** As the ninth step of a run does it. */
async function end(
  store: Store,
  ended: {
    readonly run: AgentRun;
    readonly task: Task;
    readonly pipeline: PipelineDefinition;
    readonly outcome: string | null;
  },
): Promise<void> {
  const { task, pipeline, outcome } = ended;
  await store.transact(async (tx) => {
    const run = await findRun(tx, ended.run.id);
    if (run === null) return;
    await updateRun(tx, { ...run, status: outcome === null ? 'failed' : 'completed', outcome, finishedAt: 'now' });
    const trigger: Trigger = outcome === null ? { type: 'agent_error' } : { type: 'agent_outcome', outcome };
    const payload = outcome === null ? null : (PAYLOADS[outcome] ?? null);
    const now = outcome === 'plan_complete' ? ((await updateTask(tx, task, { plan: 'P' })) ?? task) : task;
    await fire(tx, { task: now, pipeline }, { trigger, actor: PERSON, payload, runId: run.id, defaultAgentType: 'a' });
  });
}
