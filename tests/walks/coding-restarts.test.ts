import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createApiClient, type CodingSession } from '@attractor/api';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';

const REPORT = (outcome: string, payload?: unknown) => ({ name: 'report_outcome', args: { outcome, payload } });
const ASKS = { questions: [{ id: 'library', question: 'Which library?', options: ['PyJWT', 'jose'] }] };
const PLAN = { files_to_create: [{ path: 'jwt.py', purpose: 'tokens' }], commands: ['git push origin main'] };

/** Asks, plans once it was told, writes a file, and wants to push. */
const SCRIPT = {
  conversations: [
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'write', path: 'jwt.py', content: 'tokens\n' }] },
        { toolCalls: [{ use: 'shell', command: 'git push origin main' }] },
        { expect: { toolResult: { contains: 'not yet' } }, toolCalls: [REPORT('pr_ready')] },
        { text: 'Done, but not pushed.' },
      ],
    },
    {
      match: { firstUser: 'PyJWT' },
      turns: [{ toolCalls: [REPORT('plan_complete', { plan: PLAN })] }, { text: 'Planned.' }],
    },
    { turns: [{ toolCalls: [REPORT('needs_info', ASKS)] }, { text: 'Asked.' }] },
  ],
};

/** A home with a repository, and a server on it that may be killed and started again. */
async function makeWorld() {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  writeFileSync(path.join(repository, 'api.py'), 'routes\n');
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const env = { ANTHROPIC_API_KEY: 'none' };
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = ['serve', '--port', '0', ...model, '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const serve = async () => {
    const { child, output } = startAttractor(flags, { home, cwd: repository, env });
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0], 'the address of the server');
    const token = readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim();
    const died = new Promise((resolve) => child.once('exit', resolve));
    return {
      client: createApiClient({ baseUrl: url, token }),
      kill: async () => (child.kill('SIGKILL'), died),
    };
  };
  return {
    repository,
    git,
    serve,
    ask: (...args: ReadonlyArray<string>) => runAttractor(args, { home, cwd: repository, env }),
  };
}

test('a coding session is begun over HTTP, and every checkpoint is answered to another process after a kill', async () => {
  const { git, serve, ask } = await makeWorld();
  expect(await ask('projects', 'create')).toMatchObject({ code: 0 });
  let server = await serve();
  const started = await server.client.coding.start({ request: 'Add JWT authentication to the API' });
  expect(started).toMatchObject({ ok: true, value: { status: 'running', checkpoint: null, plan: null } });
  const id = started.ok ? started.value.session_id : '';

  /** Waits for the stage, kills the server there, and starts another one. */
  const reach = async (stage: CodingSession['stage'], type: string): Promise<CodingSession> => {
    for (;;) {
      const read = await server.client.coding.session(id);
      if (!read.ok) throw new Error(read.error.message);
      if (read.value.stage === 'failed') throw new Error(JSON.stringify(read.value));
      if (read.value.stage === stage && read.value.pending_action?.type === type) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await server.kill();
    server = await serve();
    const read = await server.client.coding.session(id);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value).toMatchObject({ stage, pending_action: { type } });
    return read.value;
  };
  const approve = async (body: Parameters<typeof server.client.coding.approve>[1]) => {
    const answered = await server.client.coding.approve(id, body);
    if (!answered.ok) throw new Error(answered.error.message);
    return answered.value;
  };

  await reach('awaiting_clarification', 'clarification');
  await approve({ answers: { library: 'PyJWT' } });
  const { plan } = await reach('awaiting_plan_approval', 'plan_approval');
  expect(plan).toMatchObject({ files_to_create: PLAN.files_to_create, commands: PLAN.commands });
  await approve({ approved_plan: { ...plan } });
  const push = await reach('awaiting_tool_approval', 'run_command');
  expect(push.pending_action).toMatchObject({ command: 'git push origin main' });
  await approve({ decision: 'reject', message: 'not yet' });
  const review = await reach('awaiting_tool_approval', 'review');
  expect(review.completed_actions).toMatchObject([
    { action: 'create_file', path: 'jwt.py', status: 'success' },
    { action: 'run_command', command: 'git push origin main', status: 'rejected' },
  ]);
  const end = await approve({ content_hash: review.pending_action?.content_hash ?? '' });
  expect(end).toMatchObject({ status: 'completed', checkpoint: null, pending_action: null });
  expect(git('branch', '--list', 'agent/*')).not.toBe('');
  await server.kill();
});
