import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CodingSession, createApiClient } from '@attractor/api';
import { composeServer } from '@attractor/server';
import { parseScript, startSimulator } from '@attractor/simulator';
import { sharedDatabase } from '@attractor/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, startAttractor } from './attractor.ts';

const REPORT = (outcome: string, payload?: unknown) => ({ name: 'report_outcome', args: { outcome, payload } });
const ASKS = { questions: [{ id: 'library', question: 'Which library?', options: ['PyJWT', 'jose'] }] };
const PLAN = { files_to_create: [{ path: 'jwt.py', purpose: 'tokens' }] };
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

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8' }).trimEnd();
}

/** A bare remote, and a clone of it where the server is. */
function makeRemote() {
  const [first, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(first, 'api.py'), 'routes\n');
  git(first, 'init', '-q', '-b', 'main');
  git(first, 'add', '--all');
  git(first, 'commit', '-q', '-m', 'first');
  const [remote, clone] = [path.join(folder, 'remote.git'), path.join(folder, 'clone')];
  git(folder, 'clone', '-q', '--bare', '--', first, remote);
  git(folder, 'clone', '-q', '--', remote, clone);
  return { remote, clone };
}

/** A server that works on nothing, in this process, and machines that do, each with a home of its own. */
async function makeWorld() {
  const databaseUrl = await sharedDatabase();
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const env = { ATTRACTOR_DATABASE_URL: databaseUrl, ANTHROPIC_API_KEY: 'none' };
  const composed = await composeServer({ home: makeFolder(), env, concurrency: 0 });
  if (!composed.ok) throw new Error(composed.error.message);
  onTestFinished(() => composed.value.close());
  const { url, token } = composed.value;
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, '--concurrency', '1', ...ANYWHERE];
  const machine = (home = makeFolder()) => ({
    home,
    start: () => startAttractor(['worker', ...flags], { home, env: { ...env, ATTRACTOR_HOME: home } }),
  });
  return { client: createApiClient({ baseUrl: url, token }), simulator, one: machine(), two: machine() };
}

test('every checkpoint of a coding session is answered over HTTP after its worker was killed, and another machine goes on', async () => {
  const { client, simulator, one, two } = await makeWorld();
  const { remote, clone } = makeRemote();
  const project = await client.projects.create({ path: clone });
  if (!project.ok) throw new Error(project.error.message);
  const started = await client.coding.start({ request: 'Add JWT authentication to the API' });
  if (!started.ok) throw new Error(started.error.message);
  const id = started.value.session_id;

  /** A machine works until the session waits there and no longer needs it; then it is killed. */
  const workUntil = async (
    { start }: typeof one,
    stage: CodingSession['stage'],
    type: string,
  ): Promise<CodingSession> => {
    const worker = start();
    for (;;) {
      const [read, queue] = await Promise.all([client.coding.session(id), client.queue.state()]);
      if (!read.ok || !queue.ok || read.value.stage === 'failed')
        throw new Error(`${JSON.stringify(read)}\n${worker.output()}`);
      const isThere = read.value.stage === stage && read.value.pending_action?.type === type;
      if (isThere && queue.value.running === 0) {
        worker.child.kill('SIGKILL');
        await worker.ended;
        return read.value;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const answer = async (body: Parameters<typeof client.coding.approve>[1]) => {
    const answered = await client.coding.approve(id, body);
    if (!answered.ok) throw new Error(answered.error.message);
    return answered.value;
  };

  await workUntil(one, 'awaiting_clarification', 'clarification');
  await answer({ answers: { library: 'PyJWT' } });
  const { plan } = await workUntil(two, 'awaiting_plan_approval', 'plan_approval');
  await answer({ approved_plan: { ...plan } });
  const push = await workUntil(one, 'awaiting_tool_approval', 'run_command');
  expect(push.pending_action).toMatchObject({ command: 'git push origin main' });
  await answer({ decision: 'reject', message: 'not yet' });
  const review = await workUntil(two, 'awaiting_tool_approval', 'review');
  expect(review.completed_actions).toMatchObject([
    { action: 'create_file', path: 'jwt.py', status: 'success' },
    { action: 'run_command', command: 'git push origin main', status: 'rejected' },
  ]);
  const end = await answer({ content_hash: review.pending_action?.content_hash ?? '' });
  expect(end).toMatchObject({ status: 'completed', pending_action: null });

  // The second machine went on in the conversation of the first, and asked nothing again.
  expect(simulator.failures()).toEqual([]);
  const branch = git(remote, 'for-each-ref', '--format=%(refname)', 'refs/heads/agent/');
  expect(git(remote, 'diff', '--name-only', `main...${branch}`)).toBe('jwt.py');
  const runs = await client.runs.list({ taskId: id });
  expect(runs.ok ? runs.value.map(({ mode, status }) => `${mode} ${status}`).toSorted() : []).toEqual([
    'clarify completed',
    'clarify completed',
    'implement completed',
  ]);
});
