import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, findSandbox } from '@attractor/confine';
import { readSetup } from '@attractor/settings';
import { describe, expect, it } from 'vitest';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { makeRepository } from '@attractor/repository/testing';
import type { Confine } from '@attractor/run';

async function runWith(confine: Confine, files?: Readonly<Record<string, string>>) {
  const platform = await openTestPlatform({ scripts: [IMPLEMENT], confine });
  const path = await makeRepository(files);
  const { task } = await addTask(platform, { path });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await platform.worker.idle();
  return { path, run: (await platform.workflow.listRuns({ taskId: task.id })).at(-1) };
}

it('what is written down for a run is read once, and handed to its agent and to every use of its sandbox', async () => {
  const read: string[] = [];
  const seen = new Set<unknown>();
  const home = makeFolder();
  const platform = await openTestPlatform({
    scripts: [IMPLEMENT],
    readSetup: (repository) => {
      read.push(repository);
      return readSetup({ home, userHome: home, env: {}, folder: repository });
    },
    confine: ({ worktree }, setup) => {
      expect(setup?.root).toBe(worktree);
      seen.add(setup?.loaded);
      return { kind: 'unsandboxed' };
    },
  });
  const path = await makeRepository({ 'sum.sh': 'echo $(( $1 - $2 ))\n' });
  const { task } = await addTask(platform, { path });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await platform.worker.idle();
  expect(read).toEqual([path]);
  expect(seen.size).toBe(1);
});

describe('what the commands of a run are started in', () => {
  it('is asked for by repository and worktree; a refusal ends the run before anything is made', async () => {
    const asked: unknown[] = [];
    const { path, run } = await runWith((place) => {
      asked.push(place);
      return { kind: 'refused', message: 'No sandbox here.' };
    });
    expect(run).toMatchObject({ status: 'failed', error: 'No sandbox here.' });
    expect(asked[0]).toEqual({ repository: path, worktree: expect.stringContaining(join(path, '.agent-worktrees')) });
    expect(existsSync(join(path, '.agent-worktrees'))).toBe(false);
  });

  it('is decided anew later: work and checks that may not run any more fail, and run nothing', async () => {
    let asked = 0;
    const outside = join(makeFolder(), 'ran');
    const files = {
      'sum.sh': 'echo $(( $1 - $2 ))\n',
      '.attractor/config.json': JSON.stringify({ checks: { test: `touch '${outside}'` } }),
    };
    const { run } = await runWith(() => {
      asked += 1;
      return asked === 1 ? { kind: 'unsandboxed' } : { kind: 'refused', message: 'No sandbox any more.' };
    }, files);
    expect(run).toMatchObject({ status: 'failed', error: 'No sandbox any more.' });
    expect(run?.checks).toMatchObject([{ phase: 'base', passed: false, output: 'No sandbox any more.' }]);
    expect(existsSync(outside)).toBe(false);
  });

  it('holds for the checks of the project, and is closed after each use', async ({ skip }) => {
    const found = await findSandbox({ roots: [] });
    if (!found.available) return skip(`no sandbox here: ${found.reason}`);
    const bubblewrap = found;
    const outside = join(makeFolder(), 'escaped');
    const open = { made: 0, closed: 0 };
    const confine: Confine = ({ worktree }) => {
      const sandbox = createSandbox({ bubblewrap, roots: [worktree] });
      open.made += 1;
      const close = async (): Promise<void> => {
        open.closed += 1;
        await sandbox.close();
      };
      return { kind: 'sandboxed', sandbox: { ...sandbox, close } };
    };
    const check = `touch '${outside}' || touch inside; test -f inside && grep -q + sum.sh`;
    const { run } = await runWith(confine, {
      'sum.sh': 'echo $(( $1 - $2 ))\n',
      '.attractor/config.json': JSON.stringify({ checks: { test: check } }),
    });
    expect(run).toMatchObject({ status: 'completed', error: null });
    expect(run?.checks.map(({ phase, passed }) => [phase, passed])).toEqual([
      ['base', false],
      ['branch', true],
    ]);
    expect(existsSync(outside)).toBe(false);
    expect(open.made).toBeGreaterThanOrEqual(4);
    expect(open.closed).toBe(open.made);
  });
});
