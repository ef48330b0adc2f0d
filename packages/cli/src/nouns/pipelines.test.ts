import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWorld } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/write-a-pipeline.md');

it('the commands of the page about pipelines, typed as they stand there, make a pipeline of one’s own the default', async () => {
  const world = await openWorld();
  onTestFinished(world.close);
  const [, block = ''] = /```sh\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const lines = block.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const words = line.split(' ').slice(1);
    const typed = words.map((word) => (word === 'mine.json' ? join(world.folder, word) : word));
    expect({ line, ...(await runCommand(typed)) }).toMatchObject({ line, exit: 0 });
  }
  const pipelines = await world.workflow.listPipelines();
  expect(pipelines.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual(['mine']);
});
