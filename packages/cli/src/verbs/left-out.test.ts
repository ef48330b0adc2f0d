import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '@attractor/console';
import { must, openWorld, type World } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;

let world: World;

beforeAll(async () => {
  world = await openWorld();
  for (const title of ['One', 'Two', 'Three']) await world.task({ title });
});

afterAll(() => world.close());

const lines = async (...args: ReadonlyArray<string>) => {
  const { exit, stdout, stderr } = await runCommand([...args, '--project', world.project.id]);
  expect([args, exit]).toEqual([args, EXIT.done]);
  return { out: stdout.trimEnd().split('\n'), stderr };
};

test('a list that is cut says how much it leaves out and how to have it, for scripts on stderr', async () => {
  const { key } = world.project;
  const { out } = await lines('tasks', 'list', '--limit', '2');
  expect(out.at(-1)).toBe(`… 1 more: --limit 3, or --before ${key}-2 for the next page`);
  expect((await lines('tasks', 'list', '--limit', '2', '--before', `${key}-2`)).out.slice(1)).toMatchObject([
    expect.stringContaining('One'),
  ]);
  expect((await lines('tasks', 'list', '--limit', '3')).out).toHaveLength(4);
  const scripted = await lines('tasks', 'list', '--limit', '2', '--json');
  expect([scripted.out.length, scripted.stderr]).toEqual([
    2,
    `attractor: not all is listed … 1 more: --limit 3, or --before ${key}-2 for the next page\n`,
  ]);
  const board = await lines('tasks', 'list', '--board', '--limit', '2');
  expect(board.out.at(-1)).toBe(`… and more: --limit 4, or --after ${key}-2 for the next page`);
  expect((await lines('tasks', 'list', '--board', '--after', `${key}-2`)).out.at(-1)).toContain('Three');
  const [first] = (await lines('events', 'list', '--limit', '2')).out;
  expect(first).toBe('… and more: --limit 4, or --offset 2 for what came before');
  expect((await lines('events', 'list', '--oldest', '--limit', '2')).out.at(-1)).toMatch(/^… and more: .*--after \d+ /);
  const task = await world.task({ title: 'Four' });
  for (let count = 0; count < 3; count += 1) {
    const run = must(await world.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    must(await world.workflow.stopAgent(run.id, PERSON));
  }
  const runs = await lines('runs', 'list', '--limit', '2');
  expect(runs.out.at(-1)).toBe(`… 1 more: --limit 3, or --before ${key}-4.2 for the next page`);
  expect((await lines('runs', 'list', '--before', `${key}-4.2`)).out.slice(1)).toMatchObject([
    expect.stringContaining(`${key}-4.1`),
  ]);
  expect((await lines('activity', '--limit', '1')).out.at(-1)).toMatch(/^… and more: --limit 2, or --before \d+ /);
});

test('the key of a project can be changed; names with the one before still lead to its tasks', async () => {
  const before = world.project.key;
  const edited = await runCommand(['projects', 'edit', before, '--key', 'new1', '--json']);
  expect([edited.exit, JSON.parse(edited.stdout)]).toMatchObject([EXIT.done, { key: 'NEW1' }]);
  for (const name of [`${before}-1`, 'new1-1'])
    expect(JSON.parse((await runCommand(['tasks', 'get', name, '--json'])).stdout)).toMatchObject({ key: 'NEW1-1' });
  const refused = await runCommand(['projects', 'edit', 'NEW1', '--key', 'no way']);
  expect([refused.exit, refused.stderr]).toEqual([EXIT.refused, expect.stringContaining('such as ATT')]);
});
