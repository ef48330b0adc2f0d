import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

/** What is left of an id if its kind and the time are left out. */
const short = (id: string): string => id.slice(-8);

/** What all of them begin with. */
function common(...ids: ReadonlyArray<string>): string {
  const [first = ''] = ids;
  const length = Array.from(first, (_, at) => at).findIndex((at) => ids.some((id) => id[at] !== first[at]));
  return first.slice(0, length);
}

async function expectFound(args: ReadonlyArray<string>, says: string): Promise<void> {
  const { exit, stdout, stderr } = await runCommand([...args, '--json']);
  expect({ args, exit, stderr }).toEqual({ args, exit: EXIT.done, stderr: '' });
  expect(stdout).toContain(says);
}

/** One thing of each kind, and the commands that name it by its id. */
async function commandsOfEachKind(): Promise<ReadonlyArray<readonly [args: ReadonlyArray<string>, says: string]>> {
  const { workflow, project, task } = world;
  const [one, other] = [await task({ title: 'One' }), await task({ title: 'Other' })];
  const run = must(await workflow.startAgent({ taskId: one.id, mode: 'implement' }, PERSON));
  const link = { type: 'link', label: 'RFC', url: 'https://example.test/' } as const;
  const artifact = must(await workflow.addArtifact({ taskId: one.id, ...link }, PERSON));
  const file = { taskId: one.id, name: 'a.txt', content: Buffer.from('a') };
  const attachment = must(await workflow.addAttachment(file, PERSON));
  const attempts = must(await workflow.startAttempts({ taskId: other.id, n: 2 }, PERSON));
  const action = { kind: 'create', task: { title: 'x' } } as const;
  const nightly = { projectId: project.id, name: 'x', cron: '@daily', action };
  const schedule = must(await workflow.saveSchedule(nightly, PERSON));
  const budget = must(await workflow.setBudget({ scope: 'all', period: 'day', limitUsd: 1000 }, PERSON));
  const template = must(await workflow.saveTemplate({ name: 'Upkeep', fields: {} }, PERSON));
  return [
    [['tasks', 'get', short(one.id)], `"id":"${one.id}"`],
    [['tasks', 'get', one.id.slice(0, -1)], `"id":"${one.id}"`],
    [['tasks', 'get', one.key], `"id":"${one.id}"`],
    [['tasks', 'get', one.key.toLowerCase()], `"key":"${one.key}"`],
    [['runs', 'get', run.key], `"id":"${run.id}"`],
    [['runs', 'list', '--task', one.key], run.id],
    [['tasks', 'create', 'After', '--depends-on', one.key, '--parent', one.key], `"parentTaskId":"${one.id}"`],
    [['projects', 'get', project.key.toLowerCase()], project.id],
    [['tasks', 'list', '--project', project.key, '--search', 'Other'], other.id],
    [['status', short(one.id)], `"id":"${one.id}"`],
    [['deps', 'add', short(one.id), short(other.id)], '"done"'],
    [['tasks', 'bulk-update', short(one.id), short(other.id), '--priority', 'low'], `["${one.id}","${other.id}"]`],
    [['tasks', 'create', 'Part', '--parent', short(one.id)], `"parentTaskId":"${one.id}"`],
    [['tasks', 'create', 'Next', '--depends-on', short(one.id), '--pipeline', 'simple'], '"Next"'],
    [['runs', 'list', '--task', short(one.id)], run.id],
    [['runs', 'get', short(run.id)], `"id":"${run.id}"`],
    [['checks', 'list', short(run.id)], ''],
    [['artifacts', 'get', short(artifact.id)], artifact.id],
    [['attachments', 'remove', short(attachment.id)], '"done"'],
    [['attempts', 'get', short(attempts.id)], `"id":"${attempts.id}"`],
    [['schedules', 'delete', short(schedule.id)], '"done"'],
    [['budgets', 'delete', short(budget.id)], '"done"'],
    [['templates', 'get', short(template.id)], template.id],
    [['projects', 'get', short(project.id)], project.id],
    [['tasks', 'list', '--project', short(project.id), '--search', 'Other'], other.id],
  ];
}

describe('an id', () => {
  it('may be a key or a part in every place that takes one', async () => {
    for (const [args, says] of await commandsOfEachKind()) await expectFound(args, says);
  });

  it('of a phase may be, too', async () => {
    const { id } = await world.task();
    const phase = `pha_01m7${'a'.repeat(23)}`;
    const database = new DatabaseSync(join(world.home, 'attractor.db'));
    const insert = database.prepare('insert into task_phases values (?, ?, ?, ?, ?, ?, ?)');
    insert.run(phase, id, 'First', '', 'pending', 0, new Date().toISOString());
    database.close();
    const whole = await runCommand(['tasks', 'branch', id, '--phase', phase]);
    expect(await runCommand(['tasks', 'branch', id, '--phase', 'pha_01m7'])).toEqual(whole);
    expect(await runCommand(['tasks', 'branch', id, '--phase', 'pha_01m8'])).not.toEqual(whole);
  });

  it('that several share is refused with the names of those that there are, and nothing is changed', async () => {
    const [one, other] = [await world.task({ title: 'The first\nof two' }), await world.task({ title: 'The second' })];
    const begins = common(one.id, other.id);
    const { exit, stdout, stderr } = await runCommand(['tasks', 'delete', begins]);
    expect([exit, stdout, stderr.trim().split('\n').length]).toEqual([EXIT.refused, '', 1]);
    expect(stderr).toContain(`"${begins}" may mean ${other.key} (The second), ${one.key} (The first of two)`);
    await expectFound(['tasks', 'get', one.id], one.id);
    for (const given of ['run_0', 'run_']) {
      const runs = await runCommand(['runs', 'get', given]);
      expect([runs.exit, runs.stderr]).toEqual([
        EXIT.refused,
        expect.stringMatching(/"run_0?" may mean [A-Z]+-\d+\.\d/),
      ]);
    }
    const { stderr: many } = await runCommand(['tasks', 'get', 'tsk_']);
    expect(many).toMatch(
      /"tsk_" may mean (?:[A-Z]+-\d+ \(.*?\)(?:, )?){5} and \d+ more\. Give more of the id, or the key\.\n$/,
    );
  });

  it('that nothing has is not found, under the name that was given, with the way to what there is', async () => {
    for (const given of ['tsk_09', 'tsk', ''])
      expect(await runCommand(['tasks', 'get', given])).toMatchObject({ exit: EXIT.notFound, stdout: '' });
    const ran = await runCommand(['artifacts', 'get', 'art_09']);
    expect([ran.exit, ran.stderr]).toEqual([EXIT.notFound, expect.stringContaining('art_09')]);
    const none = await runCommand(['tasks', 'get', 'ABC-99']);
    expect([none.exit, none.stderr]).toEqual([
      EXIT.notFound,
      'attractor: there is no task ABC-99. See `attractor tasks list`.\n',
    ]);
  });

  it('is the same without a server', async () => {
    const { id } = await world.task({ title: 'Alone' });
    await world.server.close();
    await expectFound(['tasks', 'get', short(id)], `"id":"${id}"`);
    const several = await runCommand(['tasks', 'get', 'tsk_0']);
    expect([several.exit, several.stderr]).toEqual([EXIT.refused, expect.stringMatching(/ and \d+ more\. Give more/)]);
  });
});
