import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createApiClient, type CodingSession } from '@attractor/api';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor } from './attractor.ts';

const REPORT = (outcome: string, payload?: unknown) => ({ name: 'report_outcome', args: { outcome, payload } });
const PLAN = { files_to_modify: [{ path: 'answer.js', changes: '42' }] };
const SCRIPT = {
  conversations: [
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'answer.js' }] },
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [REPORT('pr_ready')] },
        { text: 'Done.' },
      ],
    },
    { turns: [{ toolCalls: [REPORT('plan_complete', { plan: PLAN })] }, { text: 'Planned.' }] },
  ],
};

async function makeWorld() {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  writeFileSync(path.join(repository, 'answer.js'), 'export const answer = 41;\n');
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const options = { home, cwd: repository, env: { ANTHROPIC_API_KEY: 'none' } };
  return {
    token: () => readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim(),
    git,
    run: (...args: ReadonlyArray<string>) => runAttractor(['run', ...args, ...flags], options),
    ask: (...args: ReadonlyArray<string>) => runAttractor(args, options),
  };
}

test('a detached task goes on after the command has returned, in a server of its own that ends when nothing is left', async () => {
  const { run, ask, token, git } = await makeWorld();
  const told = await run('Answer 42', '--detach');
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const [, url = '', pid = ''] = /(http:\S+), process (\d+)/.exec(told.stdout) ?? [];
  onTestFinished(() => {
    if (isAlive(Number(pid))) process.kill(Number(pid), 'SIGKILL');
  });
  const client = createApiClient({ baseUrl: url, token: token() });
  const reach = async (stage: CodingSession['stage']): Promise<CodingSession> => {
    for (;;) {
      const read = await client.coding.session('REP-1');
      if (!read.ok) throw new Error(read.error.message);
      if (read.value.stage === 'failed') throw new Error(JSON.stringify(read.value));
      if (read.value.stage === stage && read.value.pending_action !== null) return read.value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const { plan } = await reach('awaiting_plan_approval');
  expect((await ask('inbox')).stdout).toContain('REP-1');
  expect(await client.coding.approve('REP-1', { approved_plan: { ...plan } })).toMatchObject({ ok: true });
  const { pending_action: review } = await reach('awaiting_tool_approval');
  const end = await client.coding.approve('REP-1', { content_hash: review?.content_hash ?? '' });
  expect(end).toMatchObject({ ok: true, value: { status: 'completed' } });
  expect(git('log', '--all', '-p', '--format=')).toContain('+export const answer = 42;');
  while (isAlive(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await ask('status', '--session', 'REP-1', '--json')).stdout).toContain('"stage":"completed"');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
