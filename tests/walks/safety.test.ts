import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, runAttractor, SANDBOX, startAttractor, until } from './attractor.ts';
import { plainGit } from './hostile-repository.ts';

const attractor = mostlyHere(['run', '-p']);

const REPORT = (outcome: string) => ({ name: 'report_outcome', args: { outcome } });

/** Plans; then runs the script of the repository, makes the change and reports. As an agent of `exec` it only talks. */
const SCRIPT = {
  conversations: [
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'shell', command: 'bash attack.sh' }] },
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [REPORT('pr_ready')] },
        { text: 'Done.' },
      ],
    },
    { turns: [{ text: 'Change it.', toolCalls: [REPORT('plan_complete')] }, { text: 'Planned.' }] },
  ],
};

/** What it leaves in the worktree is its right; what it leaves elsewhere is a breach. */
const ATTACK =
  'echo fine > "made-by-${1:-agent}.txt"\ntouch "$HOME/breach" ../../breach\ntouch ../../.git/hooks/breach\n';

type World = {
  readonly home: string;
  readonly root: string;
  readonly start: (args: ReadonlyArray<string>, through?: ReadonlyArray<string>) => Promise<Ended>;
  readonly branchFiles: (ended: Ended) => ReadonlyArray<string>;
};

/** `~/…` in the home folder, the rest in the repository. */
async function makeWorld(files: Readonly<Record<string, unknown>> = {}): Promise<World> {
  const home = makeFolder();
  const root = path.join(home, 'repository');
  mkdirSync(root);
  const all = { 'answer.js': 'export const answer = 41;\n', 'attack.sh': ATTACK, ...files };
  for (const [name, content] of Object.entries(all)) {
    const file = name.startsWith('~/') ? path.join(home, name.slice(2)) : path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  plainGit(root, ['init', '-q', '-b', 'main']);
  plainGit(root, ['add', '--all']);
  plainGit(root, ['commit', '-q', '-m', 'first']);
  const parsed = parseScript(SCRIPT);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider=anthropic', '--model=claude-sonnet-4-5-20250929'];
  const withModel = [...model, '--base-url', simulator.baseUrls.anthropic];
  return {
    home,
    root,
    start: (args, through) => {
      const line = NO_MODEL.has(args[0] ?? '') ? args : [...args, ...withModel];
      const options = { home, cwd: root, env: { ANTHROPIC_API_KEY: 'none' } };
      return through === undefined ? attractor(line, options) : runAttractor(line, { ...options, through });
    },
    branchFiles: ({ stdout }) => {
      const branch = /branch\s+(agent\/\S+)/.exec(stdout)?.[1] ?? 'none';
      return plainGit(root, ['ls-tree', '--name-only', branch]).trim().split('\n');
    },
  };
}

const NO_MODEL = new Set(['trust', 'demo', 'sessions']);
const RUN = ['run', 'Answer 42', '--yes'];

function breaches({ home }: World): ReadonlyArray<string> {
  return ['breach', 'repository/breach', 'repository/.git/hooks/breach'].filter((place) =>
    existsSync(path.join(home, place)),
  );
}

/** What checks of the branch printed, as it is kept under the home folder. */
function keptOutputs({ home }: World): string {
  const runs = path.join(home, '.attractor/runs');
  const folders = readdirSync(runs).map((run) => path.join(runs, run, 'checks/0'));
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8')))
    .join('\n');
}

describe('a pipeline run', () => {
  test('keeps commands that the person allowed, and checks, inside its sandbox', async ({ skip }) => {
    if (!SANDBOX.available) skip(`no sandbox here: ${SANDBOX.reason}`);
    const world = await makeWorld({});
    // Nobody is asked about a command that is a check.
    const ended = await world.start([
      ...RUN,
      '--check',
      'bash attack.sh',
      '--check',
      'bash attack.sh check; cat made-by-check.txt ~/.attractor/token',
    ]);
    expect(ended.stdout).toMatch(/● shell bash attack\.sh/);
    expect(ended.stdout).not.toMatch(/reject: Denied/);
    expect(ended.stdout).toMatch(/check .* on the branch \w+: fails/);
    expect(breaches(world)).toEqual([]);
    const [worktree = ''] = readdirSync(path.join(world.root, '.agent-worktrees'));
    const made = readdirSync(path.join(world.root, '.agent-worktrees', worktree));
    // The check could write there too, as its kept output shows; what it wrote was put back.
    expect(made.filter((name) => name.startsWith('made-by'))).toEqual(['made-by-agent.txt']);
    expect(keptOutputs(world)).toContain('fine');
    expect(existsSync(path.join(world.home, '.attractor/token'))).toBe(true);
    const token = readFileSync(path.join(world.home, '.attractor/token'), 'utf8').trim();
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(token);
  });

  test('follows rules and checks of the repository once they are trusted; before, it goes on without them and one line says so', async () => {
    const config = {
      permissions: { allow: ['Bash(bash attack.sh)'] },
      checks: { proof: 'test -f made-by-agent.txt' },
    };
    const world = await makeWorld({
      '.attractor/config.json': config,
      'attack.sh': 'echo fine > made-by-agent.txt\n',
    });
    const before = await world.start([...RUN, ...ANYWHERE]);
    expect(before.code).toBe(0);
    expect(before.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/is not trusted and is not used: see `attractor trust/),
    ]);
    expect(before.stdout).toMatch(/reject: Denied/);
    expect(world.branchFiles(before)).not.toContain('made-by-agent.txt');
    const shown = await world.start(['trust', 'show', '--json']);
    const hash = /"hash":"(\w+)"/.exec(shown.stdout)?.[1] ?? '';
    expect(await world.start(['trust', 'grant', '--yes', '--hash', hash])).toMatchObject({ code: 0 });
    const after = await world.start([...RUN, ...ANYWHERE]);
    expect(after).toMatchObject({ code: 0, stderr: '' });
    expect(after.stdout).toMatch(/proof .*passes on the branch/);
    expect(world.branchFiles(after)).toContain('made-by-agent.txt');
  });

  test('does not start where a limit of the person can not be read', async () => {
    const world = await makeWorld({ '~/.claude/settings.json': '{ "permissions": { "deny": "Bash" } }' });
    const ended = await world.start([...RUN, ...ANYWHERE]);
    expect(ended.code).not.toBe(0);
    expect(ended.stdout).toMatch(/\.claude\/settings\.json:1: "permissions\.deny" must be/);
    expect(ended.stdout).not.toMatch(/● shell/);
  });
});

/** A machine without bubblewrap: where there is one, the program is taken away inside a view of the file system. */
const BARE: ReadonlyArray<string> = SANDBOX.available
  ? [SANDBOX.path, '--die-with-parent', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', SANDBOX.path, '--']
  : [];

describe('where there is no sandbox', () => {
  const spec = 'agent.md';
  const agent = { [spec]: '# Agent\n\nYou talk.\n' };

  test.each([
    ['run', RUN],
    ['serve', ['serve', '--port', '0']],
    ['exec', ['exec', spec, '.']],
    ['-p', ['-p', 'Look.']],
  ])(
    '%s without a person does not start: exit code 4 and one line that says why and what to do',
    async (_way, args) => {
      const world = await makeWorld(agent);
      const ended = await world.start(args, BARE);
      expect(ended).toMatchObject({ code: 4, stdout: '' });
      expect(ended.stderr.trim().split('\n')).toEqual([
        expect.stringMatching(
          /^attractor: An unattended run needs a sandbox, and there is no sandbox here: .*--allow-unsandboxed/,
        ),
      ]);
    },
  );

  test('run and exec start when a person allowed it', async () => {
    const world = await makeWorld(agent);
    expect(await world.start([...RUN, '--allow-unsandboxed'], BARE)).toMatchObject({ code: 0, stderr: '' });
    expect(await world.start(['exec', spec, '.', '--allow-unsandboxed'], BARE)).toMatchObject({ code: 0 });
  });

  test('the demo runs its own sample, and refuses every other repository', async () => {
    const world = await makeWorld();
    const demo = startAttractor(['demo', '--yes'], { home: world.home, through: BARE });
    const address = await until(() => /web app\s+(http:\S+?)\/tasks\/\S+/.exec(demo.output())?.[1], 'the web app');
    expect(demo.output()).toMatch(/Ready for review[^]*passes on the branch [0-9a-f]{8}/);
    const folder = /Demo in (\S+)/.exec(demo.output())?.[1] ?? '';
    const token = readFileSync(path.join(folder, 'home/token'), 'utf8').trim();
    const ask = async (method: string, route: string, body?: object): Promise<string> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await fetch(`${address}${route}`, init)).text();
    };
    const project = /prj_\w+/.exec(await ask('POST', '/api/projects', { path: world.root }))?.[0] ?? '';
    const task = /tsk_\w+/.exec(await ask('POST', '/api/tasks', { projectId: project, title: 'Elsewhere' }))?.[0] ?? '';
    await ask('POST', `/api/tasks/${task}/transitions`, { to: 'planning' });
    const view = await until(async () => {
      const now = await ask('GET', `/api/views/tasks/${task}`);
      return now.includes('needs a sandbox') ? now : undefined;
    }, 'the refusal');
    expect(view).toContain('An unattended run needs a sandbox');
    expect(existsSync(path.join(world.root, '.agent-worktrees'))).toBe(false);
    demo.child.kill('SIGTERM');
    expect((await demo.ended).stderr).toBe('');
  });
});

describe('attractor exec', () => {
  test('loads no module that the description of an agent names', async () => {
    const head = ['provider: ./evil.mjs', 'model: ./evil.mjs', 'model: ../repository/evil.mjs'];
    const specs = head.map((line, index): [string, string] => [
      `agent-${index}.md`,
      `---\n${line}\n---\n# Agent\n\nYou talk.\n`,
    ]);
    const evil = "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('breach', import.meta.url), '');\n";
    const world = await makeWorld({ ...Object.fromEntries(specs), 'evil.mjs': evil });
    const env = { ANTHROPIC_API_KEY: 'none' };
    for (const [spec] of specs)
      await attractor(['exec', spec, '.', '--base-url', 'http://127.0.0.1:9', '--max-retries=0', ...ANYWHERE], {
        home: world.home,
        cwd: world.root,
        env,
      });
    expect(breaches(world)).toEqual([]);
  });

  test('keeps its tools away from what commands in a sandbox could not read', async ({ skip }) => {
    if (!SANDBOX.available) skip(`no sandbox here: ${SANDBOX.reason}`);
    const parsed = parseScript({
      turns: [{ toolCalls: [{ name: 'file_read', args: { path: '.ssh/id_ed25519' } }] }, { text: 'Done.' }],
    });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const simulator = await startSimulator({ script: parsed.script });
    onTestFinished(() => simulator.close());
    const home = makeFolder();
    mkdirSync(path.join(home, '.ssh'));
    writeFileSync(path.join(home, '.ssh/id_ed25519'), 'plum-walrus');
    writeFileSync(path.join(home, 'agent.md'), '# Agent\n\nYou look.\n');
    const model = [
      '--provider=anthropic',
      '--model=claude-sonnet-4-5-20250929',
      '--base-url',
      simulator.baseUrls.anthropic,
    ];
    const ended = await attractor(['exec', 'agent.md', '.', ...model], { home, env: { ANTHROPIC_API_KEY: 'none' } });
    expect(ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(JSON.stringify(simulator.requests())).toContain('holds secrets');
    expect(JSON.stringify(simulator.requests())).not.toContain('plum-walrus');
  });
});
