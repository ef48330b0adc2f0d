import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { afterAll, describe, expect, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, startAttractor, until } from './attractor.ts';
import { GIT_TRAPS, type HostileRepository, makeHostileRepository, type Trap } from './hostile-repository.ts';
import { settingsTraps } from './hostile-settings.ts';

const attractor = mostlyHere(['-p', 'exec', 'run', 'worker']);

const REPORT = (outcome: string) => ({ name: 'report_outcome', args: { outcome } });

/** Reads, is denied a command, and writes; as a task it plans and reports. */
const SCRIPT = {
  conversations: [
    {
      match: { firstUser: { contains: 'Look.' } },
      turns: [
        { toolCalls: [{ use: 'read', path: 'answer.js' }] },
        { toolCalls: [{ use: 'shell', command: 'npm test' }] },
        { toolCalls: [{ use: 'write', path: 'new.txt', content: 'x' }] },
        { text: 'Done.' },
      ],
      otherwise: { text: 'Still done.' },
    },
    {
      match: { firstUser: { contains: 'Peek.' } },
      turns: [{ toolCalls: [{ use: 'read', path: 'answer.js' }] }, { text: 'Peeked.' }],
    },
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [{ use: 'shell', command: 'npm test' }] },
        { toolCalls: [REPORT('pr_ready')] },
        { text: 'Done.' },
      ],
    },
    { turns: [{ text: 'Change it.', toolCalls: [REPORT('plan_complete')] }, { text: 'Planned.' }] },
  ],
};

type World = HostileRepository & {
  readonly home: string;
  /** Without a sandbox, where whatever runs can leave its marker. */
  readonly start: (args: ReadonlyArray<string>, stdin?: string) => Promise<Ended>;
  /** In one, where this machine has it. */
  readonly confined: (args: ReadonlyArray<string>, stdin?: string) => Promise<Ended>;
  readonly serve: (how: 'unsandboxed' | 'confined') => ReturnType<typeof startAttractor>;
  /** Unsandboxed, with its input open. */
  readonly talk: (args: ReadonlyArray<string>) => ReturnType<typeof startAttractor>;
  /** How often somebody asked at the address that the repository names. */
  readonly lured: () => number;
};

const endings: Array<() => unknown> = [];
afterAll(async () => {
  for (const end of endings.splice(0)) await end();
});

async function makeWorld(traps: (lure: { host: string; port: number }) => ReadonlyArray<Trap>): Promise<World> {
  const folder = makeFolder();
  let lured = 0;
  const lure = createServer((socket) => {
    lured += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(lure, 'listening');
  const address = lure.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  endings.push(
    () => lure.close(),
    () => simulator.close(),
  );
  const repository = makeHostileRepository(folder, traps({ host: '127.0.0.1', port }));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const model = [
    '--provider',
    'anthropic',
    '--model',
    'claude-sonnet-4-5-20250929',
    '--base-url',
    simulator.baseUrls.anthropic,
  ];
  const outside = outsideShims(folder);
  const searchPath = [
    path.join(repository.root, 'bin'),
    path.join(repository.root, 'node_modules/.bin'),
    '.',
    outside,
    '/usr/bin',
    '/bin',
  ];
  const options = {
    home,
    cwd: repository.root,
    env: { PATH: searchPath.join(':'), ANTHROPIC_API_KEY: 'sk-ant-walk' },
  };
  const withModel = (args: ReadonlyArray<string>, flags: ReadonlyArray<string>): ReadonlyArray<string> =>
    NO_MODEL.has(args[0] ?? '') ? args : [...args, ...model, ...(args[0] === 'config' ? [] : flags)];
  const startWith =
    (flags: ReadonlyArray<string>): World['start'] =>
    (args, stdin) =>
      attractor(withModel(args, flags), { ...options, ...(stdin === undefined ? {} : { stdin }) });
  return {
    ...repository,
    home,
    lured: () => lured,
    start: startWith(UNSANDBOXED),
    confined: startWith(ANYWHERE),
    serve: (how) =>
      startAttractor(withModel(['serve', '--port', '0'], how === 'confined' ? ANYWHERE : UNSANDBOXED), options),
    talk: (args) => startAttractor(withModel(args, UNSANDBOXED), { ...options, stdin: null }),
  };
}

const UNSANDBOXED = ['--allow-unsandboxed'];
const NO_MODEL = new Set(
  'inbox sessions tool doctor trust policy mcp --help status agents supervise disk models import file-tools tasks projects'.split(
    ' ',
  ),
);

/** On the person's own PATH: nothing but git may be started from there before anybody asked for it. */
function outsideShims(folder: string): string {
  const shims = path.join(folder, 'shims');
  mkdirSync(shims);
  for (const name of [
    'node',
    'npm',
    'yarn',
    'pnpm',
    'python3',
    'cargo',
    'rustc',
    'direnv',
    'mise',
    'ssh',
    'gpg',
    'less',
    'vi',
    'cat',
    'true',
    'false',
  ]) {
    writeFileSync(path.join(shims, name), `#!/bin/sh\n: > '${folder}/markers/outside-${name}'\n`);
    chmodSync(path.join(shims, name), 0o755);
  }
  return shims;
}

type Way = {
  readonly way: string;
  readonly go: (world: World) => Promise<Ended>;
  readonly code: number;
  readonly says?: RegExp;
};

const HEADLESS = ['--output-format', 'json', '--cwd', '.'];

/** Every way to start. A new command is a new row. */
const WAYS: ReadonlyArray<Way> = [
  {
    way: 'headless',
    go: ({ start }) => start(['-p', 'Look.', ...HEADLESS]),
    code: 0,
    says: /"permission_denials":\[\{/,
  },
  {
    way: 'headless, with edits allowed',
    go: ({ start }) => start(['-p', 'Look.', '--permission-mode', 'acceptEdits', ...HEADLESS]),
    code: 0,
  },
  { way: 'codex', go: ({ start }) => start(['codex', 'exec', 'Look.', '--json']), code: 0 },
  { way: 'gemini', go: ({ start }) => start(['gemini', '-p', 'Look.', '-o', 'json']), code: 0 },
  { way: 'headless, resumed', go: ({ start }) => start(['-p', 'And now?', '--continue', ...HEADLESS]), code: 0 },
  { way: 'resume', go: ({ start }) => start(['resume', '-p', 'And then?', ...HEADLESS]), code: 0 },
  { way: 'sessions list', go: ({ start }) => start(['sessions', 'list', '--here']), code: 0 },
  {
    way: 'tool read_file',
    go: ({ start }) => start(['tool', 'read_file', '--cwd', '.'], '{"file_path":"answer.js"}'),
    code: 0,
  },
  { way: 'tool grep', go: ({ start }) => start(['tool', 'grep', '--cwd', '.'], '{"pattern":"answer"}'), code: 0 },
  { way: 'doctor', go: ({ start }) => start(['doctor']), code: 0 },
  { way: 'config show', go: ({ start }) => start(['config', 'show']), code: 0, says: /not trusted and is not used/ },
  {
    way: 'import settings',
    go: ({ start }) => start(['import', 'settings']),
    code: 0,
    says: /refused +permissions\.allow.*the repository is not trusted/,
  },
  { way: 'trust show', go: ({ start }) => start(['trust', 'show', '--full']), code: 4, says: /is not trusted/ },
  { way: 'help', go: ({ start }) => start(['--help']), code: 0 },
  { way: 'policy explain', go: ({ start }) => start(['policy', 'explain', 'git status']), code: 0 },
  { way: 'headless, in its sandbox', go: ({ confined }) => confined(['-p', 'Look.', ...HEADLESS]), code: 0 },
  { way: 'exec', go: (world) => execAgent(world, world.start), code: 0, says: /Peeked/ },
  { way: 'exec, in its sandbox', go: (world) => execAgent(world, world.confined), code: 0, says: /Peeked/ },
  { way: 'mcp serve', go: ({ start }) => start(['mcp', 'serve', '.']), code: 0 },
  {
    way: 'run',
    go: ({ start }) => start(['run', 'Answer 42', '--yes', '--check', 'true']),
    code: 0,
    says: /branch\s+agent\//,
  },
  {
    way: 'run, in its sandbox',
    go: ({ confined }) => confined(['run', 'Answer 42', '--yes', '--check', 'true']),
    code: 0,
    says: /branch\s+agent\//,
  },
  {
    way: 'serve, with a project and a task',
    go: (world) => serveTask(world, 'unsandboxed'),
    code: 143,
    says: /Answer again/,
  },
  { way: 'serve, in its sandbox', go: (world) => serveTask(world, 'confined'), code: 143, says: /Answer again/ },
  {
    way: 'task run',
    go: ({ start }) => start(['task', 'run', '--repo', '.', '--title', 'Answer 42', '--mode', 'implement', '--json']),
    code: 0,
    says: /"status":"completed"/,
  },
  { way: 'worker, on a task that was queued', go: (world) => workOnQueued(world), code: 0, says: /implement/ },
  { way: 'status', go: ({ start }) => start(['status']), code: 0 },
  { way: 'agents list', go: ({ start }) => start(['agents', 'list']), code: 0 },
  { way: 'supervise', go: ({ start }) => start(['supervise', '--once']), code: 0 },
  { way: 'models list', go: ({ start }) => start(['models', 'list']), code: 0, says: /claude-/ },
  { way: 'disk', go: ({ start }) => start(['disk']), code: 0 },
  {
    way: 'import github',
    go: ({ start }) => start(['import', 'github']),
    code: 4,
  },
  {
    way: 'file-tools',
    go: ({ start }) => start(['file-tools', '.', '{"tool":"file.search","pattern":"answer"}']),
    code: 0,
    says: /answer\.js/,
  },
  { way: 'acp', go: (world) => talkAsEditor(world), code: 0, says: /end_turn/ },
  { way: 'inbox', go: ({ start }) => start(['inbox', '--json']), code: 0 },
];

/** What only reads and changes records, of the store or of a repository that another row goes through. */
const RECORDS_ONLY = new Set(
  (
    'demo llm simulate debug projects notes deps attachments templates artifacts phases activity completion runs prompts pipelines ' +
    'events checks queue schedules channels costs stats budgets attempts limits db sign-in users keys audit api'
  ).split(' '),
);

describe('a hostile repository that nobody trusted', () => {
  test(`G-S7, T1, T2, T3: ${WAYS.length} ways to start leave no marker of any of its kinds of traps and ask nobody it names`, async () => {
    const world = await makeWorld((lure) => [...settingsTraps(lure), ...GIT_TRAPS]);
    const kinds = [...settingsTraps({ host: '', port: 0 }), ...GIT_TRAPS].length;
    expect(kinds).toBeGreaterThanOrEqual(12);
    for (const row of WAYS) await expectClean(world, row);
    expect(world.lured()).toBe(0);
    expect(existsSync(path.join(world.root, 'pwned'))).toBe(false);
    expect(worktreesOf(world).length).toBeGreaterThanOrEqual(2);
    for (const worktree of worktreesOf(world))
      expect(await world.start(['-p', 'Look.', ...HEADLESS, '--cwd', worktree])).toMatchObject({ code: 0 });
    expect(world.markers()).toEqual([]);
  });

  test('is met by every command that goes to repositories: a new one is a new row', async () => {
    const { stdout } = await attractor(['--help'], { home: makeFolder() });
    const commands = [...(stdout.split('\nExamples:')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]+)(?:[|,\s])/gm)].map(
      ([, name = '']) => name,
    );
    expect(commands.length).toBeGreaterThan(30);
    const rows = WAYS.map(({ way }) => way).join('\n');
    const isMet = (name: string): boolean => new RegExp(`^${name.replace(/s$/, '')}s?\\b`, 'm').test(rows);
    expect(commands.filter((name) => !RECORDS_ONLY.has(name) && !isMet(name))).toEqual([]);
  });

  // One trap can keep another from being reached: in a soak every kind stands alone.
  const alone = process.env['SOAK'] === '1' ? [...settingsTraps({ host: '127.0.0.1', port: 9 }), ...GIT_TRAPS] : [];
  test.each(alone.map((trap) => [trap.kind, trap] as const))('alone: %s', async (_kind, trap) => {
    const world = await makeWorld(() => [trap]);
    for (const row of WAYS) expect([row.way, (await row.go(world), world.markers())]).toEqual([row.way, []]);
  });
});

async function expectClean(world: World, { way, go, code, says }: Way): Promise<void> {
  const ended = await go(world);
  expect({ way, code: ended.code, ...(ended.code === code ? {} : ended) }).toEqual({ way, code });
  if (says !== undefined) expect(ended.stdout).toMatch(says);
  expect([way, world.markers(), world.lured()]).toEqual([way, [], 0]);
}

/** An editor that opens the repository, asks, and refuses every call. */
async function talkAsEditor({ root, talk }: World): Promise<Ended> {
  const { child, output, ended } = talk(['acp']);
  const send = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const refused = new Set<string>();
  child.stdout?.on('data', () => {
    for (const [, id = ''] of output().matchAll(/"id":(\d+),"method":"session\/request_permission"/g)) {
      if (refused.has(id)) continue;
      refused.add(id);
      send({ id: Number(id), result: { outcome: { outcome: 'selected', optionId: 'reject' } } });
    }
  });
  send({ id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } });
  send({ id: 2, method: 'session/new', params: { cwd: root, mcpServers: [] } });
  const found = (): string | undefined => /"sessionId":"([^"]+)"/.exec(output())?.[1];
  const sessionId = await until(found, 'a session');
  send({ id: 3, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'Look.' }] } });
  await until(() => /"stopReason"|"id":3,"error"/.test(output()) || undefined, 'an answer');
  child.stdin?.end();
  return ended;
}

function worktreesOf({ root }: World): ReadonlyArray<string> {
  const folder = path.join(root, '.agent-worktrees');
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((worktree) => existsSync(path.join(worktree, '.git')));
}

/** The agent's description is the person's own; the workspace is the repository. */
function execAgent({ home }: World, start: World['start']): Promise<Ended> {
  const spec = path.join(home, 'looker.md');
  writeFileSync(spec, '# Looker\n\nYou look.\n\n## Workflow\n\nPeek.\n');
  return start(['exec', spec, '.'], '{}');
}

/** The queue is filled without a server; whoever comes works on it. */
async function workOnQueued({ start, confined }: World): Promise<Ended> {
  const made = await start(['tasks', 'create', 'Answer 42 again', '--json']);
  const [task = ''] = /tsk_\w+/.exec(made.stdout) ?? [];
  const begun = await start(['tasks', 'implement', task, '--json']);
  if (begun.code !== 0) return begun;
  const worked = await confined(['worker', '--once']);
  const shown = await start(['tasks', 'diff', task]);
  return { ...worked, stdout: `${worked.stdout}${worked.stderr}${shown.stdout}${begun.stdout}` };
}

type Fields = Readonly<Record<string, unknown>>;

/** A server, a project and a task over HTTP, until its branch has a worktree; its views are what is said. */
async function serveTask(world: World, how: Parameters<World['serve']>[0]): Promise<Ended> {
  const running = world.serve(how);
  const origin = await until(() => /http:\/\/[\d.]+:\d+/.exec(running.output())?.[0], 'the address of the server');
  const token = readFileSync(path.join(world.home, '.attractor/token'), 'utf8').trim();
  const ask = async (method: string, route: string, body?: Fields): Promise<Fields> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${origin}${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null ? { ...answer } : {};
  };
  const projects: unknown = await ask('GET', '/api/projects');
  const project = JSON.stringify(projects).match(/prj_\w+/)?.[0] ?? '';
  const task = String((await ask('POST', '/api/tasks', { projectId: project, title: 'Answer again' }))['id']);
  await ask('POST', `/api/tasks/${task}/transitions`, { to: 'planning' });
  await until(
    () => (existsSync(path.join(world.root, '.agent-worktrees', task, '.git')) ? true : undefined),
    'the worktree',
  );
  const view = JSON.stringify(await ask('GET', `/api/views/tasks/${task}`));
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  return { ...ended, stdout: `${ended.stdout}${view}` };
}
