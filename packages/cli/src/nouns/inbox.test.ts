import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '@attractor/console';
import { must, openWorld, type World } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

const PERSON = { type: 'user' } as const;

const ask = (id: string, type: string, answers: Readonly<Record<string, string>>) => ({
  id,
  from: 'open',
  to: id,
  label: id,
  trigger: { type: 'manual' },
  hooks: [{ type: 'create_prompt', params: { type, title: 'Well', answers } }],
});

const move = (from: string, to: string) => ({ id: `${from}_${to}`, from, to, label: to, trigger: { type: 'manual' } });

/** People and questions only: no agent is needed to come to each of its statuses. */
const ASKING = {
  id: 'asking',
  name: 'Asking',
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: [
    ['open', 'backlog'],
    ['planned', 'waiting'],
    ['asked', 'waiting'],
    ['stuck', 'blocked'],
    ['done', 'done'],
    ['cancelled', 'done'],
  ].map(([id, category], position) => ({ id, label: id, color: 'gray', category, position })),
  transitions: [
    ask('planned', 'plan_approval', { approve: 'done', reject: 'cancelled' }),
    ask('asked', 'question', { answer: 'open' }),
    move('open', 'stuck'),
    move('planned', 'done'),
    move('asked', 'open'),
    move('stuck', 'open'),
    move('*', 'cancelled'),
  ],
};

let world: World;

beforeAll(async () => {
  world = await openWorld();
  must(await world.workflow.savePipeline(ASKING, PERSON));
});

afterAll(() => world.close());

async function taskIn(status: string): Promise<string> {
  const { id } = await world.task({ title: `In ${status}`, pipelineId: 'asking' });
  must(await world.workflow.transition({ taskId: id, to: status }, PERSON));
  return id;
}

type Shown = {
  readonly items: ReadonlyArray<{
    readonly task: { readonly id: string };
    readonly prompt: { readonly id: string } | null;
    readonly state: { readonly label: string; readonly steps: ReadonlyArray<{ readonly command: string }> };
  }>;
};

async function inbox(...args: ReadonlyArray<string>): Promise<Shown['items']> {
  const { stdout } = await runCommand(['inbox', ...args, '--json']);
  return (JSON.parse(stdout) as Shown).items;
}

describe('attractor inbox', () => {
  it('names what waits, and each step that it names, taken as it is written, leads on', async () => {
    for (const status of ['planned', 'asked', 'stuck']) {
      const { length: steps } = (await inbox('--task', await taskIn(status)))[0]?.state.steps ?? [];
      expect(steps).toBeGreaterThan(1);
      for (let step = 0; step < steps; step += 1) {
        const id = await taskIn(status);
        const [item] = await inbox('--task', id);
        const command = item?.state.steps[step]?.command ?? '';
        const people = await runCommand(['inbox', '--task', id]);
        expect(people.stdout).toContain(command);
        expect({ command, ...(await runCommand(wordsOf(command).slice(1))) }).toMatchObject({
          command,
          exit: EXIT.done,
        });
        const after = await world.workflow.getTask(id);
        expect({ command, moved: after?.status !== status }).toEqual({ command, moved: true });
      }
    }
  });

  it('takes one answer for many questions, and says which it refused', async () => {
    const [one, other] = [await taskIn('planned'), await taskIn('planned')];
    const ids: string[] = [];
    for (const id of [one, other]) ids.push((await inbox('--task', id))[0]?.prompt?.id ?? '');
    const answered = await runCommand(['inbox', 'answer', ...ids, '--approve', '--json']);
    expect(JSON.parse(answered.stdout)).toEqual({ done: ids, refused: [] });
    expect((await world.workflow.getTask(one))?.status).toBe('done');
    const again = await runCommand(['inbox', 'answer', ...ids, '--reject']);
    expect(again.exit).toBe(EXIT.refused);
    const key = (await world.workflow.getTask(one))?.key ?? '';
    expect(again.stdout).toContain(`${key}.q1 refused: The prompt has already been answered: approve`);
  });
});

function wordsOf(command: string): ReadonlyArray<string> {
  const script = `printf '%s\\0' ${command}`;
  return execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' }).split('\0').slice(0, -1);
}
