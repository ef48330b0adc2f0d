import { expect, test } from 'vitest';
import { must, openWorld } from '../test-support/command-world.ts';
import { logWork } from './server-log.ts';

const PERSON = { type: 'user' } as const;

test('a server tells what happens a line each, with its time and key, for people and for programs', async () => {
  const world = await openWorld();
  const told = { text: [] as string[], json: [] as string[] };
  const after = await world.workflow.lastSeq();
  const ends = (['text', 'json'] as const).map((format) =>
    logWork(world.workflow, { format, after, write: (line) => void told[format].push(line) }),
  );
  const task = await world.task({ title: 'Two\nwords \u001b[31m' });
  must(await world.workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));
  for (const end of ends) await end();
  expect(told.text).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${task.key} +Task created: Two words \\\\u\\{1b\\}\\[31m$`),
    ),
    expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${task.key} +.*in_progress`)),
  ]);
  expect(told.json.map((line): unknown => JSON.parse(line))).toMatchObject([
    { type: 'task.created', key: task.key, taskId: task.id, level: 'info' },
    { type: 'status.changed', key: task.key },
  ]);
  await world.close();
});
