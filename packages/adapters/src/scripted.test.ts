import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_FIX } from '@attractor/facts';
import { runGit } from '@attractor/git';
import { describe, expect, it } from 'vitest';
import type { ScriptStep } from './script.ts';
import { createReadyScriptedAgent } from './ready-scripted.ts';
import { createScriptedAgent } from './scripted.ts';
import { describeAgent } from './testing/index.ts';
import { makeRun } from './testing/world.ts';

const WORKS: ReadonlyArray<ScriptStep> = [
  { do: 'output', text: 'On it.' },
  { do: 'modifyFile', path: 'greeting.txt', find: 'hello', replace: 'good-bye' },
  { do: 'askHuman', toolName: 'shell', input: { command: 'cat greeting.txt' } },
  { do: 'usage', inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
  { do: 'outcome', outcome: 'pr_ready' },
];

describeAgent('the scripted agent', {
  works: async () => createScriptedAgent([{ steps: WORKS }]),
  fails: async () => createScriptedAgent([{ steps: [{ do: 'error', message: 'no' }] }]),
  hangs: async () => createScriptedAgent([{ steps: [{ do: 'output', text: 'On it.' }, { do: 'hang' }] }]),
});

describe('a script', () => {
  it('is chosen by the outcomes that the run offers and by words of its prompt', async () => {
    const agent = createScriptedAgent([
      { when: { outcome: 'plan_complete' }, steps: [{ do: 'output', text: 'plan' }] },
      { when: { promptIncludes: 'nothing like this' }, steps: [{ do: 'output', text: 'other' }] },
      { when: { outcome: 'pr_ready', promptIncludes: 'greeting' }, steps: [{ do: 'output', text: 'work' }] },
    ]);
    const { options } = await makeRun();
    expect((await agent.run(options)).finalText).toBe('work');
  });

  it('goes on at the step it was stopped in, and commits once', async () => {
    const stop = new AbortController();
    const steps: ReadonlyArray<ScriptStep> = [
      { do: 'createFile', path: 'a.txt', content: 'a\n' },
      { do: 'commit', message: 'Add a' },
      { do: 'askHuman', toolName: 'shell', input: {} },
      { do: 'deleteFile', path: 'greeting.txt' },
      { do: 'commit', message: 'Drop the greeting' },
      { do: 'outcome', outcome: 'pr_ready' },
    ];
    const first = await makeRun({
      abortSignal: stop.signal,
      approve: async () => {
        stop.abort('shutdown');
        return { decision: 'reject', message: 'stopped' };
      },
    });
    expect((await createScriptedAgent([{ steps }]).run(first.options)).exitCode).toBe(1);
    const second = await makeRun({ statePath: first.options.statePath, projectPath: first.options.projectPath });
    expect(await createScriptedAgent([{ steps }]).run(second.options)).toMatchObject({
      exitCode: 0,
      outcome: 'pr_ready',
    });
    const log = await runGit(['log', '--format=%s'], { cwd: first.options.projectPath });
    expect(log.stdout.trim().split('\n')).toEqual(['Drop the greeting', 'Add a', 'first']);
  });

  it('fails where a change can not be made, and says which', async () => {
    const agent = createScriptedAgent([
      { steps: [{ do: 'modifyFile', path: 'greeting.txt', find: 'absent', replace: 'x' }] },
    ]);
    const { options } = await makeRun();
    expect((await agent.run(options)).error?.message).toBe('"absent" is not in greeting.txt');
  });

  it('writes nothing outside its folder', async () => {
    const agent = createScriptedAgent([{ steps: [{ do: 'createFile', path: '../outside.txt', content: 'x' }] }]);
    const { options } = await makeRun();
    expect((await agent.run(options)).exitCode).toBe(1);
  });

  it('answers further inputs by their key, counts all that was used, and does so once', async () => {
    const agent = createScriptedAgent([
      {
        steps: WORKS,
        replies: {
          fix: [
            { do: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 0.25 },
            { do: 'createFile', path: 'fixed', content: '1' },
          ],
        },
      },
    ]);
    const { options } = await makeRun();
    await agent.run(options);
    const say = () => agent.say?.({ ...options, prompt: 'fix it', inputKey: 'fix' });
    expect((await say())?.tokenUsage).toEqual({ inputTokens: 11, outputTokens: 3, totalCost: 0.75 });
    expect((await say())?.tokenUsage).toEqual({ inputTokens: 11, outputTokens: 3, totalCost: 0.75 });
    expect(readFileSync(join(options.projectPath, 'fixed'), 'utf8')).toBe('1');
  });
});

describe('the scripted agent that needs no configuration', () => {
  const agent = createReadyScriptedAgent();
  const PLAN = [{ outcome: 'plan_complete', description: '', payloadSchema: null }];

  it('says what it is, plans, and makes the change that the sample asks for', async () => {
    const { path, before, after } = SAMPLE_FIX;
    const { options } = await makeRun();
    mkdirSync(join(options.projectPath, 'src'));
    writeFileSync(join(options.projectPath, path), `x {\n${before}\n}\n`);
    const statePath = join(options.statePath, 'plan');
    const plan = await agent.run({ ...options, statePath, readOnly: true, outcomes: PLAN });
    expect(plan).toMatchObject({ exitCode: 0, outcome: 'plan_complete' });
    expect(plan.finalText).toMatch(/I am the scripted agent: no model.*src\/slugify\.js/s);
    expect(await agent.run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(readFileSync(join(options.projectPath, path), 'utf8')).toBe(`x {\n${after}\n}\n`);
    // Called again after a crash it goes on with the same steps, although the file is another by now.
    expect(await agent.run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(readdirSync(options.projectPath)).not.toContain('scripted-agent');
    const heard = await agent.say?.({ ...options, prompt: 'And now?', inputKey: 'msg_1' });
    expect(heard?.finalText).toContain("can't read messages");
  });

  it('adds one note anywhere else, and refuses what it has no steps for', async () => {
    const { options } = await makeRun();
    expect(await agent.run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(readdirSync(join(options.projectPath, 'scripted-agent'))).toHaveLength(1);
    const review = [{ outcome: 'approved', description: '', payloadSchema: null }];
    const other = await makeRun();
    expect((await agent.run({ ...other.options, outcomes: review })).error?.message).toContain('Choose another agent');
  });
});
