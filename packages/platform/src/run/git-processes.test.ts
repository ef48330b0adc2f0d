import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';

/** Starting git is the dearest thing that a run does itself. */
const MOST = 15;

it('an ordinary run, with a check before and after the work, starts git no more often than it has to', async () => {
  const tools = makeFolder();
  const asked = join(tools, 'asked');
  writeFileSync(join(tools, 'git'), `#!/bin/sh\necho "$*" >> '${asked}'\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
  const path = await makeRepository();
  const platform = await openTestPlatform({ scripts: [IMPLEMENT], supervise: false });
  const { task } = await addTask(platform, { path });
  vi.stubEnv('PATH', `${tools}:${ENV.PATH}`);
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await platform.worker.idle();
  expect(await statusOf(platform, task.id)).toBe('pr_review');
  const calls = readFileSync(asked, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('--no-pager '));
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(MOST);
  expect(calls.length).toBeGreaterThan(10);
});
