import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectConfig } from '@attractor/project-config';
import { describe, expect, it } from 'vitest';
import { must, newRepository, openRealWorld } from './test-support/real-world.ts';

const PERSON = { type: 'user' } as const;

/** Adds a file and says that it is ready. */
const SCRIPT = {
  steps: [
    { do: 'createFile', path: 'notes.md', content: 'Seen.\n' },
    { do: 'commit', message: 'Notes' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
} as const;

function withChecks(repository: string): void {
  mkdirSync(join(repository, '.attractor'), { recursive: true });
  const checks = { notes: { command: 'test -e notes.md' }, sum: { command: 'echo wrong; exit 3' } };
  writeFileSync(join(repository, '.attractor', 'config.json'), JSON.stringify({ checks }));
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', '-C', repository, ...args]);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'checks');
}

describe('checks on demand', () => {
  it('run on the work of a task once a person trusted them, and are told in its log', async () => {
    const { client, workflow, home } = await openRealWorld([SCRIPT]);
    const repository = newRepository();
    withChecks(repository);
    const project = must(await client.projects.create({ path: repository }));
    const task = must(await client.tasks.create({ projectId: project.id, title: 'Notes', pipelineId: 'chore' }));
    expect(await client.checks.run(task.id)).toMatchObject({ ok: false, error: { code: 'blocked' } });
    const run = must(await client.tasks.startRun(task.id, { mode: 'implement' }));
    const closed = async () => must(await client.runs.get(run.id)).status !== 'running';
    await expect.poll(closed).toBe(true);
    expect(await client.checks.run(task.id)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('Nobody has trusted') },
    });

    const config = must(readProjectConfig(repository, { home }));
    must(await workflow.trustConfig(project.id, config.hash, PERSON));
    const results = must(await client.checks.run(task.id));
    expect(results.map(({ name, passed, exitCode }) => [name, passed, exitCode])).toEqual([
      ['notes', true, 0],
      ['sum', false, 3],
    ]);
    const told = await workflow.events({ taskId: task.id, type: 'run.check_finished' });
    expect(told.map(({ summary }) => summary.split(' on ')[0])).toEqual(['Check notes passes', 'Check sum fails']);
    expect(await client.checks.run('tsk_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(must(await client.projects.revokeTrust(project.id)).trustedConfigHash).toBeNull();
    expect(must(await client.projects.examine(project.id)).state).toBe('unknown');
    expect(await client.checks.run(task.id)).toMatchObject({ ok: false, error: { code: 'blocked' } });
    const [last] = (await workflow.events({ projectId: project.id, type: 'project.updated' })).slice(-1);
    expect(last?.summary).toContain('no longer trusted');
  });
});
