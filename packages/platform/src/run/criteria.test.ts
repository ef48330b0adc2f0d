import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script, ScriptStep } from '@attractor/adapters';
import { CODING } from '@attractor/pipeline';
import { git, makeRepository } from '@attractor/repository/testing';
import { readSetup } from '@attractor/settings';
import type { PipelineDefinition } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import type { PlatformOptions } from '../platform.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';

const FILES = {
  'readme.md': 'A sample.\n',
  '.attractor/config.json': JSON.stringify({
    checks: {
      greets: { command: 'grep -q hello greeting.txt' },
      polite: { command: 'grep -q please greeting.txt', severity: 'warning' },
    },
  }),
};

const CRITERIA = ['It greets', 'It is polite', 'The file is there', 'It is described', 'Nobody is hurt'];

const says = (...criteria: ReadonlyArray<object>): ScriptStep => ({
  do: 'outcome',
  outcome: 'pr_ready',
  payload: { criteria },
});

const FIRST: Script = {
  steps: [
    { do: 'createFile', path: 'greeting.txt', content: 'hello\nworld\n' },
    says(
      { criterion: 1, evidence: { check: 'greets' } },
      { criterion: 2, evidence: [{ check: 'polite' }, { file: 'greeting.txt' }] },
      { criterion: 3, evidence: { file: 'greeting.txt', line: 2, contains: 'world' } },
      { criterion: 4, evidence: { command: 'cat readme.md' } },
    ),
  ],
};
const SECOND: Script = {
  when: { promptIncludes: 'Shorter, please' },
  steps: [
    { do: 'modifyFile', path: 'greeting.txt', find: 'hello\nworld\n', replace: 'hello, please\n' },
    says({ criterion: 4, evidence: { command: 'grep -q hello greeting.txt' } }),
  ],
};

/** As `coding`, but nothing is accepted while a criterion is open. */
const GUARDED: PipelineDefinition = {
  ...CODING,
  id: 'guarded',
  version: 1,
  isDefault: false,
  transitions: CODING.transitions.map((transition) =>
    transition.id === 'accept'
      ? { ...transition, guards: [...(transition.guards ?? []), { type: 'criteria_met' }] }
      : transition,
  ),
};

async function begin(scripts: ReadonlyArray<Script>, options: Pick<PlatformOptions, 'readSetup'> = {}) {
  const path = await makeRepository(FILES);
  const platform = await openTestPlatform({ scripts, ...options });
  const { workflow, worker } = platform;
  must(await workflow.savePipeline(GUARDED, PERSON));
  const { task } = await addTask(platform, { path, pipelineId: 'guarded', acceptanceCriteria: CRITERIA });
  const taskId = task.id;
  must(await workflow.transition({ taskId, to: 'implementing' }, PERSON));
  await worker.idle();
  const criteria = async () => must(await workflow.criteria(taskId));
  const states = async () => (await criteria()).map(({ state }) => state);
  return { platform, workflow, worker, path, taskId, criteria, states };
}

describe('acceptance criteria', () => {
  it('are shown, claimed or refuted by what the server itself sees, wherever the work is judged', async () => {
    const { workflow, taskId, criteria, states } = await begin([SECOND, FIRST]);
    expect(await states()).toEqual(['shown', 'refuted', 'shown', 'claimed', 'open']);
    const [first, second, , fourth] = await criteria();
    expect(first?.detail).toMatch(/^check greets passes on [0-9a-f]{12}$/);
    expect(second?.detail).toContain('check polite ended with 1');
    expect(fourth?.detail).toContain('no rule of yours allows it');
    expect((await workflow.getTask(taskId))?.acceptanceCriteria.map(({ met }) => met)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);

    const [review] = (await workflow.inbox()).items;
    expect(review?.text).toContain('Criterion 2. [!] It is polite (refuted: check polite ended with 1');
    expect(review?.text).toContain('Criterion 5. [ ] Nobody is hurt');
    const request = (await workflow.listEffects(taskId)).find(({ work }) => work?.kind === 'create_pr');
    expect(JSON.stringify(request?.work)).toContain('2. [!] It is polite (refuted:');
    const accepts = async () =>
      (await workflow.validTransitions(taskId)).find(({ transition }) => transition.id === 'accept');
    expect(await accepts()).toMatchObject({
      allowed: false,
      blockedBy: [{ guard: 'criteria_met', reason: expect.stringContaining('2 "It is polite" is refuted') }],
    });

    expect(await workflow.markCriterion({ taskId, number: 9, isMet: true }, PERSON)).toMatchObject({
      ok: false,
      error: { message: 'The task has no criterion 9; it has 1, 2, 3, 4, 5.' },
    });
    for (const number of [2, 4, 5])
      must(await workflow.markCriterion({ taskId, number, isMet: true, note: 'Tried it' }, PERSON));
    expect(await states()).toEqual(['shown', 'accepted', 'shown', 'accepted', 'accepted']);
    expect(await accepts()).toMatchObject({ allowed: true });
    must(await workflow.markCriterion({ taskId, number: 1, isMet: false, note: 'Not in French' }, PERSON));
    expect((await criteria())[0]).toMatchObject({ state: 'open', detail: expect.stringContaining('Not in French') });
    must(await workflow.markCriterion({ taskId, number: 1, isMet: null }, PERSON));
    must(await workflow.markCriterion({ taskId, number: 4, isMet: null }, PERSON));
    expect(await states()).toEqual(['shown', 'accepted', 'shown', 'claimed', 'accepted']);
  });

  it('are judged anew after every commit: by the next run, and by a person who changed the branch', async () => {
    const { workflow, worker, taskId, criteria, states, path } = await begin([SECOND, FIRST]);
    const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
    const answer = { decision: 'changes', message: 'Shorter, please' } as const;
    must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer }, PERSON));
    await worker.idle();
    expect(await states()).toEqual(['shown', 'shown', 'refuted', 'shown', 'open']);
    expect((await criteria())[2]?.detail).toMatch(/greeting\.txt in [0-9a-f]{12} (has|does)/);
    const runs = await workflow.listRuns({ taskId });
    expect((await criteria()).map(({ claim }) => runs.findIndex(({ id }) => id === claim?.runId))).toEqual([
      0, 0, 0, 1, -1,
    ]);
    const judged = (await workflow.events({ taskId })).filter(({ type }) => type === 'criteria.judged');
    expect(judged.map(({ summary }) => summary)).toEqual([
      'Criteria: 1 shown, 2 refuted, 3 shown, 4 claimed',
      'Criteria: 1 shown, 2 shown, 3 refuted, 4 shown',
    ]);

    const folder = runs.at(-1)?.worktree ?? '';
    writeFileSync(join(folder, 'greeting.txt'), 'hello\nworld, please\n');
    await git(folder, 'commit', '-qam', 'By hand');
    expect(await states()).toEqual(['claimed', 'claimed', 'claimed', 'claimed', 'open']);
    for (const number of [3, 5]) must(await workflow.markCriterion({ taskId, number, isMet: true }, PERSON));
    const accept = async () => workflow.transition({ taskId, to: 'done' }, PERSON);
    expect(await accept()).toMatchObject({
      error: {
        code: 'blocked',
        message: expect.stringMatching(/1 "It greets" is claimed \(shown on [0-9a-f]{12}, and/),
      },
    });
    for (const number of [3, 5]) must(await workflow.markCriterion({ taskId, number, isMet: null }, PERSON));
    expect((await criteria())[0]?.detail).toMatch(/^shown on [0-9a-f]{12}, and the branch is at [0-9a-f]{12} since/);
    must(await workflow.verifyCriteria(taskId, PERSON));
    expect(await states()).toEqual(['claimed', 'claimed', 'shown', 'claimed', 'open']);
    must(await workflow.runChecks(taskId, PERSON));
    expect(await states()).toEqual(['shown', 'shown', 'shown', 'shown', 'open']);
    must(await workflow.markCriterion({ taskId, number: 5, isMet: true }, PERSON));
    must(await accept());
    expect(await git(path, 'status', '--porcelain')).toBe('');
  });

  it('that name a command are judged by running it, only where a rule of the person allows that unasked', async () => {
    const home = makeFolder();
    const commands: Script = {
      steps: [
        { do: 'createFile', path: 'greeting.txt', content: 'hello\n' },
        says(
          { criterion: 1, evidence: { command: 'test "$(cat greeting.txt)" = hello' } },
          { criterion: 2, evidence: { command: 'grep -q sorry greeting.txt' } },
          { criterion: 3, evidence: { command: 'touch escaped.txt' } },
          { criterion: 4, evidence: [{ file: '../secret' }, { run: 'run_none' }] },
        ),
      ],
    };
    const readSetupOf = (folder: string) => readSetup({ home, userHome: home, env: {}, folder });
    const { criteria, states, workflow, taskId } = await begin([commands], { readSetup: readSetupOf });
    expect(await states()).toEqual(['shown', 'refuted', 'claimed', 'refuted', 'open']);
    const [first, second, third, fourth] = await criteria();
    expect(first?.detail).toContain('passes on');
    expect(second?.detail).toContain('`grep -q sorry greeting.txt` ended with 1');
    expect(third?.detail).toContain('`touch escaped.txt` was not run again');
    expect(fourth?.detail).toContain('../secret is not a path in the repository; the task has no run run_none');
    const { worktree } = (await workflow.listRuns({ taskId }))[0] ?? {};
    expect(existsSync(join(worktree ?? '', 'escaped.txt'))).toBe(false);
    writeFileSync(join(worktree ?? '', 'greeting.txt'), 'hello, sorry\n');
    await git(worktree ?? '', 'commit', '-qam', 'By hand');
    must(await workflow.runChecks(taskId, PERSON));
    expect(await states()).toEqual(['refuted', 'shown', 'claimed', 'refuted', 'open']);
    must(await workflow.rollBack({ taskId, files: ['greeting.txt'] }, PERSON));
    expect(await states()).toEqual(['claimed', 'claimed', 'claimed', 'claimed', 'open']);
  });

  it('that an agent claims wrongly are told back while it can fix it, and never cost finished work', async () => {
    const broken: Script = {
      steps: [
        { do: 'createFile', path: 'greeting.txt', content: 'hello\n' },
        says({ criterion: 7, evidence: { check: 'greets' } }),
      ],
    };
    const { states, workflow, taskId } = await begin([broken]);
    expect((await workflow.getTask(taskId))?.status).toBe('pr_review');
    expect(await states()).toEqual(['open', 'open', 'open', 'open', 'open']);
  });

  it('keep their numbers when people edit the list, and a tick in the list is a decision', async () => {
    const { workflow, taskId, criteria } = await begin([FIRST]);
    const list = (await workflow.getTask(taskId))?.acceptanceCriteria ?? [];
    const edit = async (acceptanceCriteria: typeof list) =>
      must(await workflow.updateTask({ taskId, edit: { acceptanceCriteria } }, PERSON));
    const known = async () => (await criteria()).map(({ number, state, text }) => [number, state, text]);
    await edit([...list.slice(2), { text: 'It is fast', met: true }]);
    expect(await known()).toEqual([
      [3, 'shown', 'The file is there'],
      [4, 'claimed', 'It is described'],
      [5, 'open', 'Nobody is hurt'],
      [6, 'accepted', 'It is fast'],
    ]);
    const now = (await workflow.getTask(taskId))?.acceptanceCriteria ?? [];
    await edit(now.map((one) => (one.text === 'Nobody is hurt' ? { text: 'Nobody is ever hurt', met: false } : one)));
    await edit((await workflow.getTask(taskId))?.acceptanceCriteria.slice(0, 3) ?? []);
    await edit([...((await workflow.getTask(taskId))?.acceptanceCriteria ?? []), { text: 'New', met: false }]);
    expect(await known()).toEqual([
      [3, 'shown', 'The file is there'],
      [4, 'claimed', 'It is described'],
      [5, 'open', 'Nobody is ever hurt'],
      [7, 'open', 'New'],
    ]);
  });
});
