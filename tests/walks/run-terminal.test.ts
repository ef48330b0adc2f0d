import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, type Ended, makeFolder, runAttractor } from './attractor.ts';
import { HAS_TMUX, openTerminal, type Terminal } from './tmux.ts';

const REPORT = (outcome: string) => ({ name: 'report_outcome', args: { outcome } });
const PLAN = 'Change 41 to 42 in answer.js.';

type World = {
  readonly repository: string;
  /** At a terminal. */
  readonly run: (...args: ReadonlyArray<string>) => Terminal;
  /** Without one. */
  readonly ask: (...args: ReadonlyArray<string>) => Promise<Ended>;
};

async function makeWorld(script: unknown, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  mkdirSync(path.join(home, '.attractor'));
  // Writes are asked about too.
  const config = { agents: { native: { permissionMode: 'default' } } };
  writeFileSync(path.join(home, '.attractor', 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(repository, 'answer.js'), 'export const answer = 41;\n');
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '--all');
  git(repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const variables = { HOME: home, ANTHROPIC_API_KEY: 'none', ...env };
  return {
    repository,
    run: (...args) => openTerminal(['run', ...args, ...flags], { cwd: repository, env: variables }),
    ask: (...args) => runAttractor(args, { home, cwd: repository, env: variables }),
  };
}

const PLANS = { turns: [{ text: PLAN, toolCalls: [REPORT('plan_complete')] }, { text: 'Planned.' }] };

describe.runIf(HAS_TMUX)('attractor run at a terminal', () => {
  test('shows the plan, takes it as it was edited, shows each write as a change, allows a command always, runs one as it was edited, explains and is denied one, and the work can be rolled back', async () => {
    const works = {
      match: { tool: 'edit_file', firstUser: 'Carefully 41' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'answer.js' }] },
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [{ use: 'shell', command: 'touch kept' }] },
        { toolCalls: [{ use: 'shell', command: 'touch kept' }] },
        { toolCalls: [{ use: 'shell', command: 'touch wrong' }] },
        { toolCalls: [{ use: 'shell', command: 'touch /tmp/not-here' }] },
        { expect: { toolResult: { contains: 'use the check' } }, toolCalls: [REPORT('pr_ready')] },
        { text: 'The answer is 42 now.' },
      ],
    };
    const world = await makeWorld({ conversations: [works, PLANS] }, { EDITOR: 'sed -i s/Change/Carefully/' });
    const terminal = world.run('Answer 42');
    await terminal.sees(PLAN);
    await terminal.sees('Approve the plan');
    terminal.press('e');
    await terminal.sees('Carefully 41 to 42');
    await terminal.sees('Approve the plan as you edited it');
    terminal.press('y');
    await terminal.sees('+42');
    await terminal.sees('Allow once');
    terminal.press('y');
    await terminal.sees('touch kept');
    await terminal.sees('Allow always, in this run');
    terminal.press('a');
    await terminal.sees('touch wrong');
    await terminal.sees('Edit before it runs');
    terminal.press('e');
    await terminal.sees('What should run instead?');
    terminal.press('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace');
    terminal.type('right');
    terminal.press('Enter');
    await terminal.sees('touch /tmp/not-here');
    terminal.press('x');
    await terminal.sees('Why you are asked');
    await terminal.sees('Allow once');
    terminal.press('n');
    await terminal.sees('Why not?');
    terminal.type('use the check');
    terminal.press('Enter');
    await terminal.sees('Ready for review');
    await terminal.sees('Decide later');
    const branch = /branch\s+(agent\/\S+)/.exec(terminal.screen())?.[1] ?? '';
    expect(git(world.repository, 'show', `${branch}:answer.js`)).toContain('42');
    expect(git(world.repository, 'ls-tree', '--name-only', branch).split('\n')).toEqual([
      'answer.js',
      'kept',
      'right',
      '',
    ]);
    terminal.press('d');
    await terminal.sees('+export const answer = 42;');
    terminal.press('r');
    await terminal.sees('Rolled back');
    expect(git(world.repository, 'show', `${branch}:answer.js`)).toContain('41');
    terminal.press('l');
    await terminal.sees('attractor run --resume REP-1');
    expect(await terminal.ended()).toBe(0);
    // A colour is drawn, never spelled out.
    expect(terminal.screen()).not.toContain(String.raw`\u{1b}`);
    expect(terminal.screen()).not.toContain('Ended in');

    const told = await world.ask('status', '--session', 'REP-1', '--json');
    expect(JSON.parse(told.stdout)).toMatchObject({
      plan: { text: 'Carefully 41 to 42 in answer.js.' },
      completed_actions: [
        { action: 'modify_file', path: 'answer.js', status: 'success' },
        { action: 'run_command', command: 'touch kept', status: 'success' },
        { action: 'run_command', command: 'touch kept', status: 'success' },
        { action: 'run_command', command: 'touch right', status: 'success' },
        { action: 'run_command', command: 'touch /tmp/not-here', status: 'rejected' },
        { action: 'rollback', status: 'success' },
      ],
    });
  });

  test('Ctrl-C asks what to say and goes on; twice stops and says how to go on; answers from elsewhere and a no end it', async () => {
    const slow = { match: { tool: 'edit_file' }, turns: [{ text: 'Slowly.', delayMs: 600_000 }] };
    const world = await makeWorld({ conversations: [slow, PLANS] });
    const first = world.run('Answer 42');
    await first.sees('Approve the plan');
    expect(await world.ask('prompts', 'answer', 'REP-1.q1', '--approve')).toMatchObject({ code: 0 });
    await first.sees('Answered elsewhere, by ');
    // The question is closed: nothing of it looks as if it could still be answered.
    expect(first.screen()).toContain('■  Approve the plan');
    expect(first.screen()).not.toContain('Ask for changes');
    await first.sees('3/10 configure');
    await first.sees(' s · implement · ');
    first.press('C-c');
    await first.sees('What should the agent know?');
    first.type('Only the number');
    first.press('Enter');
    await first.sees('continues with this');
    first.press('C-c');
    await first.sees('What should the agent know?');
    first.press('C-c');
    await first.sees('Stopped in implementing');
    await first.sees('Stopped. No agent works on it');
    await first.sees('attractor run --resume REP-1');
    expect(await first.ended()).toBe(130);
    expect((await world.ask('tasks', 'messages', 'REP-1')).stdout).toContain('Only the number');
    expect((await world.ask('runs', 'list', '--json')).stdout).not.toContain('"status":"running"');

    const second = world.run('Another');
    await second.sees('Approve the plan');
    second.press('n');
    await second.sees('Why not?');
    second.press('Enter');
    await second.sees('Ended in cancelled');
    expect(await second.ended()).toBe(1);
  });
});

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
