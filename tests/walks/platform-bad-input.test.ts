import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder, startAttractor, until } from './attractor.ts';

/** A server at work, a project with a remote that takes nothing, and an agent that is a shell script. */
type World = {
  readonly home: string;
  readonly repository: string;
  readonly address: string;
  readonly token: string;
  readonly project: string;
};

/** What a person and a program are told of the same mistake. */
type Mistake = {
  readonly args: ReadonlyArray<string>;
  readonly stdin?: string;
  readonly call: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown };
  readonly exit: number;
  readonly status: number;
  readonly says: ReadonlyArray<string>;
};

const AGENT = `echo more >> words.txt
git add --all
git -c user.name=Agent -c user.email=agent@example.test commit --quiet -m "More words"
echo '<<<OUTCOME:pr_ready>>>'
`;

const PIPELINE = {
  id: 'mine',
  name: 'Mine',
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlgo', position: 0 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 1 },
  ],
  transitions: [{ id: 'end', from: 'open', to: 'done', label: 'End', trigger: { type: 'manuel' } }],
};

let world: World;

const attractor = mostlyHere(['import', 'transition', 'create', 'watch', 'push', 'run', 'list', 'worker', 'serve']);

beforeAll(async () => {
  world = await openWorld();
});

async function openWorld(): Promise<World> {
  const home = makeFolder();
  const [repository, remote] = [path.join(home, 'repository'), path.join(home, 'remote.git')];
  const state = path.join(home, '.attractor');
  mkdirSync(state);
  writeFileSync(path.join(home, 'agent.sh'), AGENT);
  const command = ['/bin/bash', path.join(home, 'agent.sh')];
  const script = { type: 'cli', command, readOnlyCommand: command };
  writeFileSync(path.join(state, 'config.json'), JSON.stringify({ agents: { script } }));
  git('init', '--quiet', '-b', 'main', repository);
  writeFileSync(path.join(repository, 'words.txt'), 'one\n');
  git('-C', repository, 'add', '--all');
  git('-C', repository, 'commit', '--quiet', '-m', 'first');
  git('clone', '--quiet', '--bare', repository, remote);
  git('-C', repository, 'remote', 'add', 'origin', remote);
  writeFileSync(path.join(remote, 'hooks', 'pre-receive'), '#!/bin/sh\necho "not on a Sunday" >&2\nexit 1\n');
  chmodSync(path.join(remote, 'hooks', 'pre-receive'), 0o755);
  const server = startAttractor(['serve', '--port', '0', '--allow-unsandboxed'], { home, cwd: repository });
  const address = await until(() => /http:\/\/[\d.]+:\d+/.exec(server.output())?.[0], 'the address of the server');
  const token = readFileSync(path.join(state, 'token'), 'utf8').trim();
  const project = await done(home, 'projects', 'create', repository, '--quiet');
  await done(home, 'projects', 'update', project, '--config', '{"defaultAgentType":"script"}');
  return { home, repository, address, token, project };
}

function git(...args: ReadonlyArray<string>): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...who, ...args], { encoding: 'utf8' }).trim();
}

/** The result of a command that has to go well. */
async function done(home: string, ...args: ReadonlyArray<string>): Promise<string> {
  const ended = await attractor(args, { home });
  expect({ args, code: ended.code, stderr: ended.code === 0 ? '' : ended.stderr }).toEqual({
    args,
    code: 0,
    stderr: '',
  });
  return ended.stdout.trim();
}

const task = (title: string, ...more: ReadonlyArray<string>) =>
  done(world.home, 'tasks', 'create', title, '--project', world.project, '--quiet', ...more);

async function http(call: Mistake['call']): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${world.address}${call.path}`, {
    method: call.method,
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** The number of the newest event: where it stays, nothing was changed. */
async function lastEvent(): Promise<string> {
  return (await http({ method: 'GET', path: '/api/events?from=newest&limit=1' })).text;
}

function expectOneClearLine(ended: Ended, expected: Pick<Mistake, 'exit' | 'says'>): void {
  expect([ended.stdout, ended.stderr.trim().split('\n').length]).toEqual(['', 1]);
  for (const words of expected.says) expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/\n\s+at |node:internal|this is a bug/);
  expect(ended.code).toBe(expected.exit);
}

/** The same words and the right code on both ways in, and nothing half done. */
async function expectRefused({ args, stdin, call, exit, status, says }: Mistake): Promise<void> {
  const before = await lastEvent();
  const ended = await attractor(args, { home: world.home, ...(stdin === undefined ? {} : { stdin }) });
  expectOneClearLine(ended, { exit, says });
  const answer = await http(call);
  const told: { readonly error?: { readonly message?: string } } = JSON.parse(answer.text);
  for (const words of says) expect(told.error?.message).toContain(words);
  expect({ status: answer.status, stack: /\n\s+at /.test(answer.text) }).toEqual({ status, stack: false });
  expect(await lastEvent()).toBe(before);
}

describe('a mistake is told in one line on the command line and over HTTP, and nothing is half done', () => {
  test('a pipeline that is not valid: each place, and what is expected there', async () => {
    const says = [
      '$.statuses[0].category: expected one of backlog, active, review, waiting, done, blocked',
      '$.transitions[0].trigger.type: expected one of manual, agent_outcome, agent_error, subtasks_settled, any',
    ];
    const call = { method: 'POST', path: '/api/pipelines', body: PIPELINE } as const;
    const args = ['pipelines', 'import'];
    await expectRefused({ args, stdin: JSON.stringify(PIPELINE), call, exit: 4, status: 400, says });
    expect(await done(world.home, 'pipelines', 'list', '--quiet')).not.toContain('mine');
  });

  test('a pipeline that is not JSON: the file and the place', async () => {
    const file = path.join(world.home, 'cut.json');
    writeFileSync(file, '{ "id": "mine",\n');
    const ended = await attractor(['pipelines', 'import', file], { home: world.home });
    expectOneClearLine(ended, { exit: 4, says: [file, 'not valid JSON', 'line 2'] });
  });

  test('a status that the pipeline does not have: those that it has', async () => {
    const id = await task('Goes nowhere');
    await expectRefused({
      args: ['tasks', 'transition', id, 'plannning'],
      call: { method: 'POST', path: `/api/tasks/${id}/transitions`, body: { to: 'plannning' } },
      exit: 4,
      status: 422,
      says: ['no status "plannning"', 'planning, plan_review'],
    });
    await expectRefused({
      args: ['tasks', 'list', '--status', 'plannning'],
      call: { method: 'GET', path: '/api/tasks?status=plannning' },
      exit: 4,
      status: 422,
      says: ['"plannning"'],
    });
  });

  test('a move that a guard forbids: which guard, and what would satisfy it; a circle of dependencies: its members', async () => {
    const [first, second] = [await task('First of two'), await task('Second of two')];
    await done(world.home, 'deps', 'add', second, first);
    await expectRefused({
      args: ['tasks', 'transition', second, 'planning'],
      call: { method: 'POST', path: `/api/tasks/${second}/transitions`, body: { to: 'planning' } },
      exit: 4,
      status: 409,
      says: ['(dependencies_resolved)', '"First of two"', 'first'],
    });
    await expectRefused({
      args: ['deps', 'add', first, second],
      call: { method: 'POST', path: `/api/tasks/${first}/dependencies`, body: { dependsOnId: second } },
      exit: 4,
      status: 422,
      says: ['circle', '"First of two" (', '"Second of two" ('],
    });
  });

  test('a cron line that is none: what is expected; one that is right gets its next time', async () => {
    const action = { kind: 'create', task: { title: 'Update dependencies' } };
    const wanted = { projectId: world.project, name: 'nightly', cron: '0 3 * *', action };
    const call = { method: 'POST', path: '/api/schedules', body: wanted } as const;
    const args = [
      'schedules',
      'create',
      '--project',
      world.project,
      '--name',
      'nightly',
      '--title',
      'Update dependencies',
    ];
    const says = ['"0 3 * *" is not a cron line', 'minute, hour, day, month and weekday'];
    await expectRefused({ args: [...args, '--cron', '0 3 * *'], call, exit: 4, status: 422, says });
    const made = await done(world.home, ...args, '--cron', '0 3 * * *', '--json');
    expect(JSON.parse(made)).toMatchObject({ cron: '0 3 * * *', nextAt: expect.stringMatching(/T03:00:00/) });
  });
});

describe('a push that the remote refuses', () => {
  test('is told with the words of the remote on both ways in; the work stays, and nothing is forced', async () => {
    const { home, repository } = world;
    const id = await task('More words');
    await done(home, 'tasks', 'implement', id);
    const watched = await done(home, 'tasks', 'watch', id, '--until', 'rest', '--json');
    expect(JSON.parse(watched.split('\n').at(-1) ?? '')).toMatchObject({ status: 'pr_review' });
    const { branch } = JSON.parse(await done(home, 'tasks', 'branch', id, '--json')) as { readonly branch: string };
    const head = git('-C', repository, 'rev-parse', branch);
    const ended = await attractor(['tasks', 'push', id], { home });
    expectOneClearLine(ended, { exit: 4, says: ['not on a Sunday'] });
    const answer = await http({ method: 'POST', path: `/api/tasks/${id}/push`, body: {} });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('not on a Sunday')]);
    expect(git('-C', repository, 'rev-parse', branch)).toBe(head);
    expect(git('-C', path.join(home, 'remote.git'), 'branch', '--list', branch)).toBe('');
  });
});

describe('a configuration that is wrong', () => {
  test('of the project, with a check that has no command: file, line and what to give, before any agent starts', async () => {
    const { home, project, repository } = world;
    const folder = path.join(repository, '.attractor');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'config.json'), '{\n  "checks": {\n    "test": { "severity": "error" }\n  }\n}\n');
    await done(home, 'trust', 'grant', '--yes', '--cwd', repository);
    const says = ['config.json:3', '"checks.test" has no command', '"checks.test.command"'];
    const call = { method: 'GET', path: `/api/projects/${project}/run-config` } as const;
    await expectRefused({ args: ['config', 'run', '--project', project], call, exit: 4, status: 422, says });
    const id = await task('With a broken check');
    await done(home, 'tasks', 'implement', id);
    const run = await done(home, 'runs', 'list', '--task', id, '--quiet');
    const watched = await attractor(['runs', 'watch', run, '--json'], { home });
    expect(watched.code).toBe(1);
    const ended: unknown = JSON.parse(watched.stdout.trim().split('\n').at(-1) ?? '');
    expect(ended).toMatchObject({ status: 'failed', outcome: null, error: expect.stringContaining(says[1] ?? '') });
  });

  test('of the person: file and line from every command that would start an agent', async () => {
    const home = makeFolder();
    mkdirSync(path.join(home, '.attractor'));
    writeFileSync(path.join(home, '.attractor', 'config.json'), '{ "agents": ');
    for (const args of [
      ['serve', '--port', '0'],
      ['worker', '--once'],
    ]) {
      const ended = await attractor(args, { home });
      expectOneClearLine(ended, { exit: 4, says: ['config.json:1', 'not valid JSON', 'Fix it'] });
    }
  });
});

describe('a default agent that can’t be started', () => {
  test('is told by doctor, by the server as it starts and by whatever would start it, with what to do', async () => {
    const [home, repository] = [makeFolder(), path.join(world.home, 'repository')];
    await done(home, 'projects', 'create', repository, '--quiet');
    const file = path.join(home, '.attractor', 'config.json');
    const nowhere = { type: 'cli', command: ['/nowhere/agent'] };
    const wrong = [
      [{ defaultAgentType: 'nativ' }, 'refused', `${file}:2: "defaultAgentType" is "nativ". There is no agent "nativ"`],
      [{ defaultAgentType: 'mine', agents: { mine: nowhere } }, 'fail', `the command "/nowhere/agent" is not found`],
    ] as const;
    for (const [config, will, says] of wrong) {
      writeFileSync(file, JSON.stringify(config, null, 2));
      const doctor = await attractor(['doctor', '--json'], { home });
      const looked = doctor.stdout.split('\n').find((line) => line.includes('"default agent"')) ?? '{}';
      expect([doctor.code, JSON.parse(looked)]).toMatchObject([1, { state: 'missing', remedy: expect.any(String) }]);
      expect(JSON.parse(looked)).toMatchObject({ found: expect.stringContaining(says) });
      const server = startAttractor(['serve', '--port', '0', '--allow-unsandboxed'], { home });
      await until(() => (server.output().includes('Serving until') ? true : undefined), 'the server');
      server.child.kill();
      const told = (await server.ended).stderr.split('\n').find((line) => line.startsWith('Tasks will'));
      expect(told).toMatch(new RegExp(`^Tasks will (?:be )?${will}: `));
      expect(told).toContain(says);
    }
  });
});

describe('a database that can’t be used', () => {
  test('is told with its address, without its password, by commands, workers and servers', async () => {
    const home = makeFolder();
    const env = { ATTRACTOR_DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/attractor' };
    for (const args of [
      ['tasks', 'list'],
      ['tasks', 'create', 'x'],
      ['worker', '--once'],
      ['serve', '--port', '0'],
    ]) {
      const ended = await attractor(args, { home, env });
      expectOneClearLine(ended, { exit: 5, says: ['127.0.0.1:1/attractor', 'Check that PostgreSQL runs there'] });
      expect(ended.stderr).not.toContain('hunter2');
    }
    const wrong = await attractor(['tasks', 'list'], { home, env: { ATTRACTOR_DATABASE_URL: 'db.example' } });
    expectOneClearLine(wrong, { exit: 5, says: ['expected postgres://USER@HOST:PORT/NAME'] });
  });

  test('because the disk is full: nothing is half done, and with room again all goes on', () => {
    const child = path.join(import.meta.dirname, 'test-support', 'full-disk-child.ts');
    const args = ['-Urm', process.execPath, child, makeFolder()];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    const told: unknown = JSON.parse(stdout || '{}');
    expect({ stderr, told }).toEqual({
      stderr: '',
      told: {
        alone: { code: 5, stdout: '', stderr: expect.stringMatching(/full/) },
        served: { code: 5, stdout: '', stderr: expect.stringMatching(/full.*nothing was changed/) },
        http: { status: 500, text: expect.stringMatching(/"database".*full.*nothing was changed/) },
        reading: 0,
        titles: ['after', 'before'],
        stopped: 143,
      },
    });
  });
});
