import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLogTellsAll } from './test-support/log-tells-all.ts';
import { KINDS, type ModelWorld, MOST_AT_ONCE, openModelWorld } from './test-support/model-world.ts';
import { expectLawful } from './test-support/model-laws.ts';
import { must, PERSON, runs } from '@attractor/store/testing';
import { CODING } from '@attractor/pipeline';

/** What a list of commands may count on: how many tasks there are, and which workers were told to die. */
type Model = { tasks: number; readonly doomed: boolean[]; isPaused: boolean };
type Command = fc.AsyncCommand<Model, ModelWorld>;

type Behaviour = {
  readonly words: string;
  readonly check?: (model: Readonly<Model>) => boolean;
  readonly run: (world: ModelWorld, model: Model) => Promise<void>;
};

function command({ words, check, run }: Behaviour): Command {
  return {
    check: (model) => check?.(model) ?? true,
    run: async (model, world) => {
      await run(world, model);
      await expectBounds(world);
    },
    toString: () => words,
  };
}

const hasTask = (model: Readonly<Model>): boolean => model.tasks > 0;

async function taskOf({ fronts }: ModelWorld, which: number): Promise<string> {
  const tasks = await fronts[0].workflow.listTasks();
  return tasks[which % Math.max(1, tasks.length)]?.id ?? '';
}

const which = fc.nat(9);

const KINDS_OF_COMMAND: ReadonlyArray<fc.Arbitrary<Command>> = [
  fc
    .record({ kind: fc.constantFrom(...Object.keys(KINDS)), to: fc.constantFrom('planning', 'implementing') })
    .map(({ kind, to }) =>
      command({
        words: `create ${kind} and move it to ${to}`,
        check: ({ tasks }) => tasks < 4,
        run: async ({ fronts, project }, model) => {
          const [{ workflow }] = fronts;
          const task = must(await workflow.createTask({ projectId: project.id, title: `It ends ${kind}` }, PERSON));
          must(await workflow.transition({ taskId: task.id, to }, PERSON));
          model.tasks += 1;
        },
      }),
    ),
  fc.record({ task: which, to: fc.constantFrom(...CODING.statuses.map(({ id }) => id)) }).map(({ task, to }) =>
    command({
      words: `move ${task} to ${to}`,
      check: hasTask,
      run: async (world) => {
        await world.fronts[0].workflow.transition({ taskId: await taskOf(world, task), to }, PERSON);
      },
    }),
  ),
  fc.record({ task: which, mode: fc.constantFrom('plan' as const, 'implement' as const) }).map(({ task, mode }) =>
    command({
      words: `start ${task} twice to ${mode}`,
      check: hasTask,
      run: async (world) => {
        const taskId = await taskOf(world, task);
        const started = await Promise.all(
          world.fronts.map(({ workflow }) => workflow.startAgent({ taskId, mode }, PERSON)),
        );
        expect(started.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
      },
    }),
  ),
  which.map((task) =>
    command({
      words: `stop ${task}`,
      check: hasTask,
      run: async (world) => {
        const [{ workflow }] = world.fronts;
        const running = await workflow.listRuns({ taskId: await taskOf(world, task), status: 'running' });
        for (const run of running) await workflow.stopAgent(run.id, PERSON);
      },
    }),
  ),
  fc
    .record({ task: which, decision: fc.constantFrom('approve' as const, 'changes' as const, 'reject' as const) })
    .map(({ task, decision }) =>
      command({
        words: `answer ${task} twice: ${decision}`,
        check: hasTask,
        run: async (world) => {
          const [{ workflow }] = world.fronts;
          for (const prompt of await workflow.listPrompts({ taskId: await taskOf(world, task), status: 'pending' })) {
            const answer =
              prompt.type === 'question' ? ({ decision: 'answer', message: 'That' } as const) : { decision };
            const answered = await Promise.all(
              world.fronts.map((front) => front.workflow.answerPrompt({ promptId: prompt.id, answer }, PERSON)),
            );
            expect(answered.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
          }
        },
      }),
    ),
  fc
    .record({ worker: fc.nat(1), fuse: fc.nat(25), when: fc.constantFrom('before' as const, 'after' as const) })
    .map(({ worker, fuse, when }) =>
      command({
        words: `worker ${worker} dies ${when} commit ${fuse}`,
        check: ({ doomed }) => doomed[worker] !== true,
        run: async ({ workers }, model) => {
          model.doomed[worker] = true;
          const life = workers[worker]?.life;
          if (life !== undefined) Object.assign(life, { fuse, when });
        },
      }),
    ),
  fc.nat(1).map((worker) =>
    command({
      words: `worker ${worker} is started again where it died`,
      check: ({ doomed }) => doomed[worker] === true,
      run: async (world, model) => {
        if (world.workers[worker]?.life.isDead !== true) return;
        await world.restart(worker);
        model.doomed[worker] = false;
      },
    }),
  ),
  which.map((job) =>
    command({
      words: `job ${job} is delivered again`,
      run: async ({ store }) => {
        await store.transact(async (tx) => {
          const running = await tx
            .selectFrom('jobs')
            .select('id')
            .where('state', '=', 'running')
            .orderBy('id')
            .execute();
          const id = running[job % Math.max(1, running.length)]?.id;
          if (id !== undefined) await tx.updateTable('jobs').set({ lease_until: -1 }).where('id', '=', id).execute();
        });
      },
    }),
  ),
  fc.constantFrom('queue' as const, 'project' as const).map((scope) =>
    command({
      words: `pause or resume the ${scope}`,
      run: async ({ fronts, project }, model) => {
        const [{ workflow }] = fronts;
        const of = scope === 'queue' ? {} : { projectId: project.id };
        must(model.isPaused ? await workflow.resumeQueue(of, PERSON) : await workflow.pauseQueue(of, PERSON));
        model.isPaused = !model.isPaused;
      },
    }),
  ),
  fc.constant(
    command({
      words: 'two supervisors',
      run: async ({ fronts }) => {
        await Promise.all(fronts.map(({ workflow }) => workflow.superviseOnce()));
      },
    }),
  ),
  fc.integer({ min: 1, max: 400 }).map((ms) => command({ words: `wait ${ms}`, run: async () => sleep(ms) })),
];

/** There is little to get wrong before there are tasks and time passes: the first and the last kind come more often. */
const COMMANDS = [...KINDS_OF_COMMAND, ...[0, 0, -1, -1].flatMap((at) => KINDS_OF_COMMAND.at(at) ?? [])];

/** Holds at every moment: the cap of the project, and one agent at most for each task. */
async function expectBounds({ fronts, store }: ModelWorld): Promise<void> {
  const running = await fronts[0].workflow.listRuns({ status: 'running' });
  expect(new Set(running.map(({ taskId }) => taskId)).size).toBe(running.length);
  const jobs = await store.read.selectFrom('jobs').select('id').where('state', '=', 'running').execute();
  expect(jobs.length).toBeLessThanOrEqual(MOST_AT_ONCE);
}

/** Whoever died is replaced, and what waits for a person is answered, until every run has ended. */
async function settle(world: ModelWorld): Promise<void> {
  const [{ workflow }] = world.fronts;
  must(await workflow.resumeQueue({}, PERSON));
  must(await workflow.resumeQueue({ projectId: world.project.id }, PERSON));
  const deadline = performance.now() + 600_000;
  for (;;) {
    for (const worker of world.workers.keys()) await world.restart(worker);
    const jobs = await world.store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').execute();
    const running = await workflow.listRuns({ status: 'running' });
    if (running.length === 0 && jobs.length === 0) return;
    const prompts = await workflow.listPrompts({ status: 'pending' });
    for (const { id } of prompts.filter(({ type }) => type === 'tool_approval'))
      await workflow.answerPrompt({ promptId: id, answer: { decision: 'approve' } }, PERSON);
    if (performance.now() > deadline)
      throw new Error(`Stuck: ${JSON.stringify(await workflow.queueState())} ${JSON.stringify(running)}`);
    await sleep(20);
  }
}

const isLong = process.env['SOAK'] === '1';

describe('tasks, runs and workers', () => {
  it('keep their laws, whatever is commanded, killed, delivered again and answered twice', async () => {
    const gone: ModelWorld[] = [];
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: isLong ? 40 : 25, size: 'max' }), async (commands) => {
        const world = await openModelWorld();
        try {
          await fc.asyncModelRun(
            () => ({ model: { tasks: 0, doomed: [false, false], isPaused: false }, real: world }),
            commands,
          );
          await settle(world);
          await expectLawful(world);
          await expectLogTellsAll(world.fronts[0]);
          expect(world.unexpected).toEqual([]);
        } finally {
          gone.push(world);
          // What the dead left under way meets an open database for a while.
          if (gone.length > 2) await gone.shift()?.remove();
        }
      }),
      { numRuns: runs(3) },
    );
    for (const world of gone) await world.remove();
  });
});
