import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOldWorld } from './world-of-0.1.0.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (lines: string): ReadonlyArray<Row> =>
  lines
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line): Row => JSON.parse(line));

/** Settings that a later version added are listed between those that were there. */
function withoutLaterSettings(lines: string, before: string): string {
  const known = new Set(rowsOf(before).map(({ name }) => name));
  return lines
    .split('\n')
    .filter((line) => line === '' || known.has(JSON.parse(line).name))
    .join('\n');
}

/** What a channel of each kind needs came later, for forms. */
const KINDS = /,"kinds":\[.*\](?=\}$)/gm;

/** Keys came later. */
const KEY = /,"key":"(PRO[^"]*)"/g;

const keysOf = (lines: string): ReadonlyArray<string> => Array.from(lines.matchAll(KEY), ([, key = '']) => key);

describe.concurrent('what 0.1.0 made', () => {
  test('is reported word for word as 0.1.0 reported it, and reading rewrites none of its files but migrates the database', async () => {
    const { asked, said, call, files } = openOldWorld();
    const before = files();
    const counts: Record<string, number> = {};
    const keys: Record<string, ReadonlyArray<string>> = {};
    for (const [name, [folder, ...args]] of Object.entries(asked)) {
      const { stdout, stderr } = await call(folder, ...args, '--json');
      const reported =
        name === 'config' ? withoutLaterSettings(stdout, said(name)) : stdout.replaceAll(KEY, '').replaceAll(KINDS, '');
      keys[name] = keysOf(stdout);
      expect({ name, stdout: reported, stderr }).toEqual({ name, stdout: said(name), stderr: '' });
      counts[name] = rowsOf(reported).length;
    }
    expect(counts).toMatchObject({ sessions: 6, projects: 1, tasks: 5, runs: 6, prompts: 6, events: 233, config: 54 });
    expect(counts).toMatchObject({ artifacts: 4, notes: 1, attachments: 1, schedules: 1, channels: 1, budgets: 1 });
    const tasks = ['PRO-5', 'PRO-4', 'PRO-3', 'PRO-2', 'PRO-1'];
    expect(keys).toMatchObject({ projects: ['PRO'], tasks, events: [] });
    expect([keys['runs']?.length, keys['prompts']?.length]).toEqual([6, 6]);
    const { '.attractor/attractor.db': _migrated, ...unchanged } = before;
    expect(files()).toMatchObject(unchanged);
  });

  test('conversations go on: the model is sent all that was said, and what was cut off is told as cut off', async () => {
    const world = openOldWorld();
    const { flags, simulator } = await world.model();
    const ask = async (id: string, prompt: string): Promise<unknown> => {
      const { stdout } = await world.call('folder', ...flags, '--output-format', 'json', '--resume', id, '-p', prompt);
      return JSON.parse(stdout)['result'];
    };
    const sent = (): string => JSON.stringify(simulator.requests().at(-1)?.body);
    const { tools = '', long = '', killed = '', executor = '' } = world.ids;

    expect(await ask(tools, 'What did it say?')).toBe('It said one and two.');
    for (const words of [
      'Look around.',
      '1\\tone\\n',
      'denied by the deny rule Read(.env)',
      'a line of many',
      'Look once',
    ])
      expect(sent()).toContain(words);

    expect(await ask(long, 'And now?')).toContain('And longer.');
    expect(sent()).toContain('The conversation so far was compacted');
    expect(sent()).toContain('never touch legal.txt');

    const finished = await world.call('folder', 'resume', killed, ...flags);
    expect(finished).toMatchObject({ code: 0, stdout: 'It was cut off; so be it.\n' });
    expect(sent()).toMatch(/interrupted/i);

    const agent = ['exec', 'developer', world.in('workspace'), executor, ...flags];
    expect(await world.call('home', ...agent)).toMatchObject({ code: 0, stdout: 'It was sum.js.\n' });
    expect(sent()).toContain('patches_applied');
    expect(simulator.failures()).toEqual([]);
  });

  test('settings mean the same: the same calls are allowed, denied and seen by a hook', async () => {
    const { call, model, home, said } = openOldWorld();
    const { flags } = await model();
    const hooked = (): string => readFileSync(path.join(home, 'hooks.log'), 'utf8');
    const before = hooked();
    const ended = await call('folder', ...flags, '--output-format', 'json', '-p', 'Look around.');
    const { session_id: id } = JSON.parse(ended.stdout);
    const { stdout } = await call('folder', 'sessions', 'show', String(id), '--json');
    const turns = (lines: string): ReadonlyArray<unknown> =>
      rowsOf(lines.replaceAll(/toolu_\w+|\d+ ms(?=\])/g, ''))
        .slice(1, 7)
        .map(({ text, calls, results }) => ({ text, calls, results }));
    expect(turns(stdout)).toEqual(turns(said('session-tools')));
    expect(hooked()).toBe(`${before}seen\n`);
  });

  test('questions that wait are answered, and the run that waited for one goes on where it was', async () => {
    const world = openOldWorld();
    const { flags, simulator } = await world.model();
    const rows = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<Row>> => {
      const { code, stdout, stderr } = await world.call('project', ...args, '--json');
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return rowsOf(stdout);
    };
    const answers: Readonly<Record<string, ReadonlyArray<string>>> = {
      plan_approval: ['--approve'],
      question: ['--answer', 'q1=whole ones'],
      tool_approval: ['--approve', '--always', 'userSettings'],
    };
    const pending = await rows('prompts', 'list');
    expect(pending.map(({ type }) => type)).toEqual(['plan_approval', 'question', 'tool_approval']);
    for (const { id, type } of pending)
      expect(await rows('prompts', 'answer', String(id), ...(answers[String(type)] ?? []))).toMatchObject([
        { status: 'answered' },
      ]);
    expect(await world.call('project', 'worker', '--once', ...flags)).toMatchObject({ code: 0 });
    const { explained, questioned, asking, done, later } = world.ids;
    const tasks = await rows('tasks', 'list');
    expect(Object.fromEntries(tasks.map(({ id, status }) => [id, status]))).toEqual({
      [String(explained)]: 'pr_review',
      [String(questioned)]: 'needs_info',
      [String(asking)]: 'pr_review',
      [String(done)]: 'done',
      [String(later)]: 'open',
    });
    const runs = await rows('runs', 'list');
    expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'completed'));
    expect(simulator.failures()).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(world.home, '.attractor/config.json'), 'utf8'))).toMatchObject({
      permissions: { allow: expect.arrayContaining(['Bash(sh check.sh)']) },
    });
  });
});
