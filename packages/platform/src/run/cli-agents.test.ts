import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { makeRepository } from '@attractor/repository/testing';
import { agentsOfPerson } from '@attractor/project-config';

const WORKS = [
  '/bin/sh',
  '-c',
  'cat > /dev/null; echo "echo \\$(( \\$1 + \\$2 ))" > sum.sh; echo "<<<OUTCOME:pr_ready>>>"',
];
const CHECKED = { checks: { test: { command: 'sh check.sh' } } };
const FILES = { 'sum.sh': 'echo $(( $1 - $2 ))\n', 'check.sh': 'test "$(sh sum.sh 2 3)" = 5\n' };

async function run(given: { readonly home?: object; readonly project?: object; readonly trust?: false }) {
  const home = makeFolder();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(given.home ?? {}));
  const path = await makeRepository({
    ...FILES,
    '.attractor/config.json': JSON.stringify({ ...CHECKED, ...given.project }),
  });
  const platform = await openTestPlatform({ home });
  const { task, project } = given.trust === false ? await untrusted(platform, path) : await addTask(platform, { path });
  const overrides = { agentType: 'mine' };
  const started = await platform.workflow.startAgent({ taskId: task.id, mode: 'implement', overrides }, PERSON);
  await platform.worker.idle();
  const [ended] = await platform.workflow.listRuns({ taskId: task.id });
  return { platform, task, project, run: ended, refusal: started.ok ? null : started.error };
}

async function untrusted(platform: Awaited<ReturnType<typeof openTestPlatform>>, path: string) {
  const project = must(await platform.workflow.createProject({ path }, PERSON));
  const task = must(await platform.workflow.createTask({ projectId: project.id, title: 'Make sum add' }, PERSON));
  return { project, task };
}

describe('a command as the agent of a run', () => {
  it('that the person defined walks the ten steps, and its work passes the checks', async () => {
    const { run: ended, platform, task } = await run({ home: { agents: { mine: { type: 'cli', command: WORKS } } } });
    expect(ended).toMatchObject({ status: 'completed', agentType: 'mine', outcome: 'pr_ready' });
    expect(ended?.checks.filter(({ phase }) => phase === 'branch')).toMatchObject([{ name: 'test', passed: true }]);
    const artifacts = await platform.workflow.listArtifacts(task.id);
    expect(artifacts.map(({ type }) => type)).toContain('commit');
    expect(await statusOf(platform, task.id)).toBeDefined();
    // It told nothing of its usage, which is not to say that it used nothing.
    expect(ended?.tokenUsage?.totalCost).toBeNull();
    expect(must(await platform.workflow.costs({}, 'agent'))).toMatchObject({ rows: [{ key: 'mine', costUsd: null }] });
    expect(must(await platform.workflow.compareAgents({}))).toMatchObject([{ costPerCompletedUsd: null }]);
  });

  it('repairs what fails a check in a second start', async () => {
    const fix = 'echo "echo \\$(( \\$1 + \\$2 ))" > sum.sh';
    const script = `if grep -q "You have this one turn"; then ${fix}; else echo x > note.txt; fi; echo "<<<OUTCOME:pr_ready>>>"`;
    const { run: ended } = await run({
      home: { agents: { mine: { type: 'cli', command: ['/bin/sh', '-c', script] } } },
    });
    expect(ended).toMatchObject({ status: 'completed', outcome: 'pr_ready' });
    expect(ended?.checks.filter(({ phase }) => phase === 'branch')).toMatchObject([{ name: 'test', passed: true }]);
  });

  it('that a repository defines counts only while it is trusted', async () => {
    const project = { agents: { mine: { type: 'cli', command: WORKS } } };
    expect((await run({ project })).run).toMatchObject({ status: 'completed', agentType: 'mine' });
    const refused = await run({ project, trust: false });
    expect(refused.run).toBeUndefined();
    expect(refused.refusal?.message).toMatch(/There is no agent "mine" here.*nobody has trusted it/);
  });

  it('that is defined wrongly is refused with the file, the line and what would be right', async () => {
    const { refusal } = await run({ home: { agents: { mine: { type: 'cli', command: 'aider' } } } });
    expect(refusal?.message).toMatch(/config\.json:1: agents\.mine: "command" must be a list/);
    const other = await run({ home: { agents: { mine: { type: 'robot', command: WORKS } } } });
    expect(other.refusal?.message).toContain(
      'must be "cli", "scripted", "claude-code", "codex", "acp", or be left out',
    );
  });

  it('is among the agents that can be chosen', async () => {
    const home = makeFolder();
    const agents = { mine: { type: 'cli', command: ['sh'], displayName: 'Mine' }, native: { model: 'm' } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ agents }));
    const listed = must(await agentsOfPerson(home, { PATH: '/bin:/usr/bin' }, ['native']));
    const [mine, ...known] = listed.map(({ type, displayName }) => [type, displayName]);
    expect(mine).toEqual(['mine', 'Mine']);
    expect(known).toEqual(
      expect.arrayContaining([
        ['claude-code', 'Claude Code'],
        ['codex', 'Codex'],
        ['gemini', 'Gemini CLI'],
      ]),
    );
    const answers = await Promise.all(listed.map((agent) => agent.isAvailable()));
    const reasons = answers.map((answer) => (answer.available ? '' : answer.reason));
    expect(reasons[1]).toMatch(
      /^Claude Code is not found \(searched: \/bin, \/usr\/bin\)\. Install it with: npm install -g /,
    );
  });
});
