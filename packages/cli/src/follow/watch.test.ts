import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServer } from '@attractor/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '@attractor/console';
import { must } from '../test-support/command-world.ts';
import { runCommand, setCommonEnvironment } from '../test-support/run-command.ts';

const git = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', '-C', folder, ...args], {
    encoding: 'utf8',
  }).trim();

/** Plans first; once its plan is made, changes a file and commits. */
const AGENT = (marker: string) => `
if [ -e ${marker} ]; then
  echo "more of $(basename "$PWD")" >> words.txt
  git add --all
  git -c user.name=Agent -c user.email=agent@example.test commit --quiet -m "More words"
  echo "I added a word."
  echo '<<<OUTCOME:pr_ready>>>'
else
  touch ${marker}
  echo "1. Add a word to words.txt."
  echo '<<<OUTCOME:plan_complete>>>'
fi
`;

/** A server at work, an agent that is a shell script, and a repository with a remote, all in one folder. */
async function openWorkingWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-watch-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, repository, remote] = [join(folder, 'home'), join(folder, 'repository'), join(folder, 'remote.git')];
  mkdirSync(home);
  writeFileSync(join(folder, 'agent.sh'), AGENT(join(folder, 'planned')));
  const command = ['/bin/bash', join(folder, 'agent.sh')];
  const script = { type: 'cli', command, readOnlyCommand: command };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ agents: { script } }));
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  writeFileSync(join(repository, 'words.txt'), 'one\n');
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '-m', 'first');
  execFileSync('git', ['clone', '--quiet', '--bare', repository, remote]);
  git(repository, 'remote', 'add', 'origin', remote);
  const unexpected: unknown[] = [];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const server = must(
    await composeServer({
      home,
      env,
      llm: {},
      allowUnsandboxed: true,
      announce: true,
      onError: (error) => void unexpected.push(error),
    }),
  );
  onTestFinished(async () => {
    await server.close();
    expect(unexpected).toEqual([]);
  });
  setCommonEnvironment({ ATTRACTOR_HOME: home, HOME: folder, ATTRACTOR_SERVER: '', ATTRACTOR_DATABASE_URL: '' });
  return { folder, repository, remote };
}

/** What a script reads of a command that went well. */
async function attractor(...args: ReadonlyArray<string>): Promise<string> {
  const ran = await runCommand(args);
  expect({ args, exit: ran.exit, stderr: ran.exit === 0 ? '' : ran.stderr }).toEqual({ args, exit: 0, stderr: '' });
  return ran.stdout.trim();
}

describe('a task by commands alone', () => {
  it('is planned, approved, done, watched to its rest, and pushed once the remote lets it', async () => {
    const { repository, remote } = await openWorkingWorld();
    const project = await attractor('projects', 'create', repository, '--quiet');
    const here = ['--project', project];
    await attractor('projects', 'update', project, '--config', '{"defaultAgentType":"script"}');
    const task = await attractor('tasks', 'create', 'More words', '--pipeline', 'coding', '--quiet', ...here);
    await attractor('tasks', 'transition', task, 'planning');

    const planned = (await attractor('tasks', 'watch', task, '--until', 'rest', '--json')).split('\n');
    expect(JSON.parse(planned.at(-1) ?? '')).toMatchObject({ id: task, status: 'plan_review' });
    const prompt = await attractor('prompts', 'list', '--task', task, '--quiet');
    const stands = (await attractor('tasks', 'watch', task, '--until', 'rest')).split('\n');
    expect(stands).toEqual(['Task REP-1 is plan review: More words', expect.stringContaining(' answer REP-1.q1 (')]);
    expect(await attractor('prompts', 'get', prompt.slice(0, -1))).toContain('plan approval');
    await attractor('prompts', 'answer', prompt, '--approve');
    const late = await runCommand(['prompts', 'answer', prompt, '--reject']);
    expect([late.exit, late.stdout]).toEqual([EXIT.refused, '']);

    const done = await attractor('tasks', 'watch', task, '--all', '--until', 'rest');
    expect(done).toContain('I added a word.');
    expect(done).toContain('Task REP-1 is pr review');
    const [run = ''] = (await attractor('runs', 'list', '--task', task, '--quiet')).split('\n');
    const watched = (await attractor('runs', 'watch', run, '--json'))
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(watched.at(-1)).toMatchObject({ id: run, status: 'completed', outcome: 'pr_ready' });
    expect(await attractor('runs', 'transcript', run)).toContain('I added a word.');
    expect(await attractor('runs', 'logs', run)).toContain('Pushed agent/more-words');
    expect(await attractor('tasks', 'diff', task)).toContain('+more');
    expect(JSON.parse(await attractor('runs', 'diff', run, '--json'))).toMatchObject({ filesChanged: 1, additions: 1 });
    expect(await attractor('status', task, '--json')).toContain('"status":"pr_review"');

    await expectRefusedPush({ repository, remote, task });
    await expectUpToDate({ repository, remote, task });
    await expectChecked({ repository, task });
    await expectChosen(here);
  });
});

/** The work stays, the reason of the remote is told, and nothing is forced. */
async function expectRefusedPush(at: { readonly repository: string; readonly remote: string; readonly task: string }) {
  const worktree = join(at.repository, '.agent-worktrees', at.task);
  writeFileSync(join(worktree, 'words.txt'), 'one\nmore\nlast\n');
  git(worktree, 'commit', '--quiet', '--all', '-m', 'Last word');
  const head = git(worktree, 'rev-parse', 'HEAD');
  const hook = join(at.remote, 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\necho "not on a Sunday" >&2\nexit 1\n');
  chmodSync(hook, 0o755);
  const refused = await runCommand(['tasks', 'push', at.task]);
  expect([refused.exit, refused.stdout]).toEqual([EXIT.refused, '']);
  expect(refused.stderr).toContain('not on a Sunday');
  expect(git(worktree, 'rev-parse', 'HEAD')).toBe(head);
  expect(await attractor('tasks', 'branch', at.task)).toContain('not pushed');
  rmSync(hook);
  expect(await attractor('tasks', 'push', at.task)).toContain('done');
  expect(git(at.remote, 'rev-parse', git(worktree, 'branch', '--show-current'))).toBe(head);
}

/** What happened on the base since is taken in, and told as one value. */
async function expectUpToDate(at: { readonly repository: string; readonly remote: string; readonly task: string }) {
  writeFileSync(join(at.repository, 'other.txt'), 'meanwhile\n');
  git(at.repository, 'add', '--all', '--', 'other.txt');
  git(at.repository, 'commit', '--quiet', '-m', 'Meanwhile');
  git(at.repository, 'push', '--quiet', at.remote, 'main');
  const head = git(join(at.repository, '.agent-worktrees', at.task), 'rev-parse', 'HEAD');
  const told: unknown = JSON.parse(await attractor('tasks', 'rebase', at.task, '--json'));
  expect(told).toEqual({ how: 'merged', before: head, after: expect.not.stringContaining(head) });
  const again: unknown = JSON.parse(await attractor('tasks', 'rebase', at.task, '--json'));
  expect(again).toMatchObject({ how: 'up to date' });
}

/** The checks that a person trusts, one value each. */
async function expectChecked({ repository, task }: { readonly repository: string; readonly task: string }) {
  mkdirSync(join(repository, '.attractor'));
  const checks = { words: { command: 'grep -q more words.txt' } };
  writeFileSync(join(repository, '.attractor', 'config.json'), JSON.stringify({ checks }));
  await attractor('trust', 'grant', '--yes', '--cwd', repository);
  const told: unknown = JSON.parse(await attractor('checks', 'run', task, '--json'));
  expect(told).toMatchObject({ name: 'words', passed: true, exitCode: 0, severity: 'error' });
}

/** Another attempt than the one that the checks chose, told as one value. */
async function expectChosen(here: ReadonlyArray<string>) {
  const task = await attractor('tasks', 'create', 'Words again', '--pipeline', 'chore', '--quiet', ...here);
  const started: { readonly id: string } = JSON.parse(
    await attractor('attempts', 'start', task, '--count', '2', '--json'),
  );
  await attractor('tasks', 'watch', task, '--until', 'rest');
  const runs: ReadonlyArray<string> = (await attractor('runs', 'list', '--task', task, '--quiet')).split('\n');
  const judged: { readonly winnerRunId: string } = JSON.parse(await attractor('attempts', 'get', started.id, '--json'));
  const other = runs.find((id) => id !== judged.winnerRunId) ?? '';
  const chosen: unknown = JSON.parse(await attractor('attempts', 'choose', started.id, other, '--json'));
  expect(chosen).toMatchObject({ id: started.id, winnerRunId: other });
  expect(await attractor('tasks', 'diff', task)).toContain('-attempt-');
}
