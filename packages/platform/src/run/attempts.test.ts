import { setTimeout as sleep } from 'node:timers/promises';
import { createScriptedAgent, type Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import type { AttemptGroup } from '@attractor/run';

/** `kind` names the agent's type, so that each attempt follows a script of its own. */
const agent = (kind: string, script: Script) => ({ ...createScriptedAgent([script]), type: kind });

const right: Script['steps'] = [
  { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' },
  { do: 'commit', message: 'Make sum add' },
];
const done: Script['steps'] = [
  { do: 'output', text: 'Done.' },
  { do: 'outcome', outcome: 'pr_ready' },
];

const AGENTS = [
  agent('wordy', {
    steps: [
      ...right,
      { do: 'createFile', path: 'notes.md', content: 'a\nb\nc\n' },
      { do: 'commit', message: 'Notes' },
      ...done,
    ],
  }),
  agent('terse', { steps: [{ do: 'delay', ms: 300 }, ...right, ...done] }),
  agent('wrong', {
    steps: [{ do: 'createFile', path: 'x.md', content: 'x\n' }, { do: 'commit', message: 'Not it' }, ...done],
  }),
  agent('stuck', { steps: [{ do: 'hang' }] }),
];

async function begin(platform: Platform, path: string, kinds: ReadonlyArray<string>) {
  const { task } = await addTask(platform, { path, pipelineId: 'chore' });
  must(await platform.workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));
  const [hooked] = await platform.workflow.listRuns({ taskId: task.id, status: 'running' });
  if (hooked !== undefined) {
    must(await platform.workflow.stopAgent(hooked.id, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.cancelled'));
  }
  const attempts = kinds.map((agentType) => ({ agentType }));
  const group = must(await platform.workflow.startAttempts({ taskId: task.id, attempts }, PERSON));
  return { task, group };
}

/** Resolves when the winner's run is over; several runs with their checks take a while on a busy machine. */
async function judged(platform: Platform, groupId: string): Promise<AttemptGroup> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const group = await platform.workflow.getAttempts(groupId);
    const winner = group?.attempts.find(({ run }) => run.id === group.winnerRunId);
    if (group !== null && winner !== undefined && winner.run.status !== 'running') return group;
    if (performance.now() > deadline) throw new Error(`Not judged: ${JSON.stringify(group)}`);
    await sleep(20);
  }
}

describe('attempts at one task', () => {
  it('are judged by the checks; the best becomes the branch of the task, the others are kept until it ends', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ agents: AGENTS, concurrency: 1, supervise: { keepWorktreesMs: 0 } });
    const { task, group } = await begin(platform, path, ['wordy', 'wrong', 'terse']);
    expect(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked' },
    });
    const after = await judged(platform, group.id);
    expect(after).toMatchObject({ status: 'judged' });
    expect(after.attempts.map(({ run, place, score }) => [run.agentType, run.status, place, score?.succeeded])).toEqual(
      [
        ['wordy', 'completed', 2, true],
        ['wrong', 'failed', 3, false],
        ['terse', 'completed', 1, true],
      ],
    );
    expect((await platform.workflow.getTask(task.id))?.status).toBe('pr_review');
    const winner = after.attempts[2]?.run;
    expect(winner?.branch).toMatch(/^agent\/make-sum-add-[^-]+$/);
    expect(await git(path, 'log', '--format=%s', `main..${winner?.branch ?? ''}`)).toBe('Make sum add');
    const artifacts = await platform.workflow.listArtifacts(task.id);
    expect(artifacts.filter(({ type }) => type === 'branch').map(({ metadata }) => metadata['branchName'])).toEqual([
      winner?.branch,
    ]);
    const kept = artifacts
      .filter(({ key }) => key.startsWith('attempt:'))
      .map(({ metadata }) => metadata['branchName']);
    expect(kept).toEqual([`${winner?.branch ?? ''}--attempt-1`, `${winner?.branch ?? ''}--attempt-2`]);
    for (const branch of kept) expect(await git(path, 'log', '-1', '--format=%s', String(branch))).not.toBe('first');
    const files = async (runId = '') => must(await platform.workflow.runDiff(runId)).files.map((file) => file.path);
    const [wordy, wrong, terse] = after.attempts.map(({ run }) => run.id);
    expect([await files(wordy), await files(wrong), await files(terse)]).toEqual([
      ['notes.md', 'sum.sh'],
      ['x.md'],
      ['sum.sh'],
    ]);
    const shown = async () => must(await platform.workflow.diff({ taskId: task.id })).files.map((file) => file.path);
    const choose = (runId = '') => platform.workflow.chooseAttempt({ groupId: group.id, runId }, PERSON);
    expect(await choose(terse)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await choose('run_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(must(await choose(wordy))).toMatchObject({ winnerRunId: wordy });
    expect(await shown()).toEqual(['notes.md', 'sum.sh']);
    expect(must(await choose(terse))).toMatchObject({ winnerRunId: terse });
    expect(await shown()).toEqual(['sum.sh']);
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    const { findings } = must(await platform.workflow.superviseOnce());
    expect(findings.filter(({ check }) => check === 'ended-refs')).toMatchObject([{ taskId: task.id }]);
    const refs = (pattern: string) => git(path, 'for-each-ref', '--format=%(refname:short)%09%(subject)', pattern);
    expect(await refs('refs/heads')).toBe(
      `${winner?.branch ?? ''}\tUndo attempt 1, in favour of attempt 3\nmain\tfirst`,
    );
    expect(await refs('refs/attractor/base')).toBe('');
    const rescued = (await refs('refs/attractor/rescue')).split('\n').map((line) => line.split('\t')[1]);
    expect(rescued).toEqual(['Notes', 'Not it']);
  });

  it('that all fail move the task as one failed run would', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ agents: AGENTS });
    const { task, group } = await begin(platform, path, ['wrong', 'wrong']);
    const after = await judged(platform, group.id);
    expect(after.attempts.map(({ run }) => run.status)).toEqual(['failed', 'failed']);
    expect(await platform.workflow.listRuns({ taskId: task.id, status: 'running' })).toEqual([]);
  });

  it('go on after a restart, and the stop of one does not hold up the judgement of the rest', async () => {
    const [home, path] = [makeFolder(), await makeRepository()];
    const first = await openTestPlatform({ home, agents: AGENTS, concurrency: 3 });
    const { task, group } = await begin(first, path, ['terse', 'stuck', 'wordy']);
    const done = async (platform: Platform) =>
      (await platform.workflow.getAttempts(group.id))?.attempts.filter(({ score }) => score !== null).length ?? 0;
    await until(first, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    await first.worker.close();
    const second = await openTestPlatform({ home, agents: AGENTS, concurrency: 3 });
    for (let look = 0; look < 5_000 && (await done(second)) < 2; look += 1) await sleep(20);
    expect((await second.workflow.getAttempts(group.id))?.status).toBe('running');
    must(await second.workflow.stopAgent(group.attempts[1]?.run.id ?? '', PERSON));
    expect((await judged(second, group.id)).attempts.map(({ run, place }) => [run.status, place])).toEqual([
      ['completed', 1],
      ['cancelled', null],
      ['completed', 2],
    ]);
  });

  it('are all stopped at once, and are refused where there are too few or too many', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ agents: AGENTS, concurrency: 1 });
    const { task, group } = await begin(platform, path, ['stuck', 'terse']);
    must(await platform.workflow.cancelAttempts(group.id, PERSON));
    await platform.worker.idle();
    expect(await platform.workflow.getAttempts(group.id)).toMatchObject({
      status: 'cancelled',
      attempts: [{ run: { status: 'cancelled' } }, { run: { status: 'cancelled' } }],
    });
    for (const n of [1, 11])
      expect(await platform.workflow.startAttempts({ taskId: task.id, n }, PERSON)).toMatchObject({
        ok: false,
        error: { code: 'invalid' },
      });
    expect(await platform.workflow.cancelAttempts(group.id, PERSON)).toMatchObject({ ok: false });
    // A second group beside the branches of the first. What a person sets holds for each of its runs.
    must(await platform.workflow.pauseQueue({}, PERSON));
    const again = must(
      await platform.workflow.startAttempts(
        { taskId: task.id, attempts: [{ agentType: 'terse' }, { agentType: 'wordy' }] },
        PERSON,
      ),
    );
    must(await platform.workflow.changeTaskSettings(task.id, { effort: 'low' }, PERSON));
    must(await platform.workflow.resumeQueue({}, PERSON));
    await judged(platform, again.id);
    for (const { run } of again.attempts) {
      const told = await platform.workflow.events({ runId: run.id, type: ['run.configured'] });
      expect(told).toMatchObject([{ data: { config: { effort: 'low' } } }]);
    }
    expect((await platform.workflow.listAttempts(task.id)).map(({ id, status }) => [id, status])).toEqual([
      [again.id, 'judged'],
      [group.id, 'cancelled'],
    ]);
  });
});
