import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '@attractor/console';
import { must, openWorld, type World } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

const PERSON = { type: 'user' } as const;

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

async function move(taskId: string, ...statuses: ReadonlyArray<string>): Promise<void> {
  for (const to of statuses) must(await world.workflow.transition({ taskId, to }, PERSON));
}

describe('watching a task', () => {
  it('begins with how it stands, in a line, and goes on with what happens', async () => {
    const { id, key } = await world.task({ title: 'Two\nwords' });
    await move(id, 'in_progress');
    const run = must(await world.workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
    let printed = '';
    const watching = runCommand(['tasks', 'watch', id.slice(0, -1)], { seen: (stdout) => (printed = stdout) });
    const stands = `Task ${key} is in progress: Two words; ${run.key} (implement) is queued\n`;
    await expect.poll(() => printed).toBe(stands);
    must(await world.workflow.stopAgent(run.id, PERSON));
    await move(id, 'done');
    const { exit, stdout } = await watching;
    expect([exit, stdout.split('\n').filter((line) => line.startsWith('▸'))]).toEqual([EXIT.done, ['▸ done']]);
    expect(stdout.startsWith(stands)).toBe(true);
    expect(stdout.endsWith(`Task ${key} is done\n`)).toBe(true);
  });

  it('that has ended is one line, for people and in JSON', async () => {
    const { id, key } = await world.task();
    await move(id, 'in_progress', 'done');
    expect(await runCommand(['tasks', 'watch', id])).toMatchObject({
      exit: EXIT.done,
      stdout: `Task ${key} is done: A task\n`,
    });
    const { stdout } = await runCommand(['tasks', 'watch', id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'done' });
    expect((await runCommand(['tasks', 'watch', id, '--quiet'])).stdout).toBe(`Task ${key} is done\n`);
  });

  it('tells its whole log with --all', async () => {
    const { id } = await world.task();
    await move(id, 'in_progress', 'done');
    const people = await runCommand(['tasks', 'watch', id, '--all']);
    expect(people.stdout).toMatch(/^\nSAM-\d {2}A task\n\n▸ in progress\n\n▸ done\nTask SAM-\d is done\n$/);
    const { stdout } = await runCommand(['tasks', 'watch', id, '--all', '--json']);
    const told = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(told.at(0)).toMatchObject({ type: 'task.created' });
    expect(told.at(-1)).toMatchObject({ id, status: 'done' });
  });
});
