import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import { examineTrust, readSetup, trustRepository } from '@attractor/settings';
import type { Request } from '@attractor/llm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bubblewrapOrSkip } from '../sandbox/test-support/sandbox-world.ts';
import { call, createScriptedClient, type Reply } from '../testing/index.ts';
import type { AgentSession, AgentSessionOptions } from './agent-session.ts';
import { openAgentSession } from './open-agent-session.ts';

const ENV = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...person, ...args], { cwd, stdio: 'pipe', env: ENV })
    .toString()
    .trim();
}

function repository(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(makeFolder({ 'a.txt': 'first\n', ...files }));
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  return root;
}

type Said = ReadonlyArray<Reply>;

/** The first words of a conversation say which one it is. */
const talk =
  (talks: Readonly<Record<string, Said>>) =>
  ({ messages }: Request): Reply => {
    const first = JSON.stringify(messages.find(({ role }) => role === 'user')?.content);
    const name = Object.keys(talks).find((one) => first.includes(one)) ?? '';
    return talks[name]?.[messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'nothing to say' };
  };

const task = (kind: string, prompt = 'CHILD') =>
  call('Task', { description: 'x', prompt, subagent_type: kind }, `c-${kind}`);
const write = (file: string) => call('write_file', { file_path: file, content: 'by the agent\n' });

type Given = Partial<AgentSessionOptions> & {
  readonly root: string;
  readonly agent: string;
  readonly child: Said;
  readonly settings?: object;
  /** The agent that is called. */
  readonly kind?: string;
  /** The repository is trusted as it is. */
  readonly isTrusted?: boolean;
};

/** One session with an agent from a file, which does what `child` says; what came of it. */
async function delegated({ root, agent, child, settings, isTrusted = false, kind = 'x', ...options }: Given) {
  const userHome = makeFolder({ '.claude/agents/x.md': agent });
  const home = makeFolder(settings === undefined ? {} : { 'config.json': JSON.stringify(settings) });
  if (isTrusted) expect(await trustRepository(examineTrust(root, { home }), { home })).toMatchObject({ ok: true });
  const setup = await readSetup({ home, userHome, env: ENV, folder: root });
  const client = createScriptedClient(talk({ GO: [{ calls: [task(kind)] }, { text: 'end' }], CHILD: child }));
  const opened = await openAgentSession({
    folder: root,
    client,
    provider: 'anthropic',
    sandbox: 'none',
    mode: 'acceptEdits',
    variables: ENV,
    setup,
    ...options,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const session = opened.value;
  onTestFinished(session.close);
  await session.send('GO');
  const results = session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
  const requests = client.requests.filter(
    ({ messages }) => JSON.stringify(messages).includes('CHILD') && !JSON.stringify(messages).includes('"GO"'),
  );
  return { said: results[0]?.output ?? '', session, userHome, child: JSON.stringify(requests), asked: requests };
}

async function warningsOf(session: Pick<AgentSession, 'events'>): Promise<ReadonlyArray<string>> {
  const warned: string[] = [];
  for await (const event of session.events()) {
    if (event.kind === 'WARNING') warned.push(event.message);
    if (event.kind === 'PROCESSING_END') break;
  }
  return warned;
}

const isolated = '---\nname: x\ndescription: x\nisolation: worktree\n---\nYou are X.\n';
const treesOf = (root: string): ReadonlyArray<string> =>
  existsSync(path.join(root, '.agent-worktrees'))
    ? readdirSync(path.join(root, '.agent-worktrees')).filter((name) => name !== '.gitignore')
    : [];

describe('an agent with isolation: worktree', () => {
  it('works in a checkout of the last commit, which stays where it changed something and is named; nothing else is touched', async () => {
    const root = repository();
    const { said, session } = await delegated({
      root,
      agent: isolated,
      child: [
        { calls: [write('a.txt'), write('b.txt'), call('shell', { command: 'pwd > where.txt' })] },
        { text: 'changed' },
      ],
      rules: ['Bash(pwd *)'],
    });
    const [tree = ''] = treesOf(root);
    const at = path.join(root, '.agent-worktrees', tree);
    expect(said).toBe(`changed\n\n[Its changes are in the worktree ${at}, on the branch worktree-${tree}.]`);
    expect(readFileSync(path.join(at, 'a.txt'), 'utf8')).toBe('by the agent\n');
    expect(readFileSync(path.join(at, 'where.txt'), 'utf8').trim()).toBe(at);
    expect([readFileSync(path.join(root, 'a.txt'), 'utf8'), existsSync(path.join(root, 'b.txt'))]).toEqual([
      'first\n',
      false,
    ]);
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(at, 'symbolic-ref', '--short', 'HEAD')).toBe(`worktree-${tree}`);
    expect(session.subagents()).toMatchObject([{ agent: 'x', worktree: at, status: 'completed' }]);
  });

  it('leaves nothing behind where it changed nothing, and keeps what it committed', async () => {
    const root = repository();
    const idle = await delegated({ root, agent: isolated, child: [{ text: 'looked' }] });
    expect([idle.said, treesOf(root), git(root, 'branch', '--list', 'worktree-*')]).toEqual(['looked', [], '']);
    const commit = 'git -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m mine';
    const busy = await delegated({
      root,
      agent: isolated,
      mode: 'bypassPermissions',
      child: [{ calls: [call('shell', { command: commit })] }, { text: 'committed' }],
    });
    expect(busy.said).toContain('[Its changes are in the worktree ');
    expect(
      git(root, 'log', '-1', '--format=%s', git(root, 'branch', '--list', 'worktree-*', '--format=%(refname:short)')),
    ).toBe('mine');
  });

  it('is held to the rules of its session there, and reaches nothing outside', async () => {
    const root = repository({ 'kept/k.txt': 'k\n' });
    const { child } = await delegated({
      root,
      agent: isolated,
      settings: { permissions: { deny: ['Edit(/kept/**)', 'Edit(./a.txt)'] } },
      rules: [],
      child: [{ calls: [write('a.txt'), write(path.join(root, 'made.txt')), write('ok.txt')] }, { text: 'tried' }],
    });
    expect(child).toContain('Denied');
    expect(existsSync(path.join(root, 'made.txt'))).toBe(false);
    expect(readdirSync(path.join(root, '.agent-worktrees', treesOf(root)[0] ?? '')).toSorted()).toEqual([
      '.git',
      'a.txt',
      'kept',
      'ok.txt',
    ]);
    expect(readFileSync(path.join(root, '.agent-worktrees', treesOf(root)[0] ?? '', 'a.txt'), 'utf8')).toBe('first\n');
  });

  it('goes on in that checkout after its process was killed', async () => {
    const root = repository();
    const userHome = makeFolder({ '.claude/agents/x.md': isolated });
    const setup = await readSetup({ home: makeFolder(), userHome, env: ENV, folder: root });
    const open = async (home: string, talks: Readonly<Record<string, Said>>, resume?: string) => {
      const client = createScriptedClient(talk(talks));
      const plain = { folder: root, client, provider: 'anthropic', sandbox: 'none', mode: 'acceptEdits' } as const;
      const opened = await openAgentSession({ ...plain, variables: ENV, setup, home, ...(resume && { resume }) });
      if (!opened.ok) throw new Error(opened.error.message);
      onTestFinished(opened.value.close);
      return { client, session: opened.value };
    };
    const [home, left] = [makeFolder(), makeFolder()];
    const begun: Said = [{ calls: [write('first.txt')] }, { text: 'Hm', hangs: true }];
    const first = await open(home, { GO: [{ calls: [task('x')] }], CHILD: begun });
    void first.session.send('GO');
    await vi.waitFor(() => expect(first.client.requests).toHaveLength(3), { timeout: 60_000 });
    // What a killed process leaves: its files as they are.
    cpSync(home, left, { recursive: true, filter: (file) => !file.endsWith('.lock') });
    const parent: Said = [
      { calls: [task('x')] },
      { calls: [call('send_input', { id: 'c-x', message: 'Go on.' })] },
      { calls: [call('wait', { id: 'c-x' })] },
      { text: 'end' },
    ];
    const goesOn: Said = [...begun.slice(0, 1), { calls: [write('second.txt')] }, { text: 'changed' }];
    const { session } = await open(left, { GO: parent, CHILD: goesOn }, first.session.id);
    expect(await session.resume()).toEqual({ ok: true, value: { text: 'end' } });
    const [tree = '', ...more] = treesOf(root);
    const at = path.join(root, '.agent-worktrees', tree);
    expect(more).toEqual([]);
    expect(session.subagents()).toMatchObject([{ agent: 'x', worktree: at, status: 'completed' }]);
    for (const file of ['first.txt', 'second.txt'])
      expect([existsSync(path.join(at, file)), existsSync(path.join(root, file))]).toEqual([true, false]);
  });

  it.each([true, false])('has what .worktreeinclude names, if that is trusted: %s', async (isTrusted) => {
    const root = repository({ '.worktreeinclude': '.env\n', '.gitignore': '.env\nother.log\n' });
    for (const file of ['.env', 'other.log']) writeFileSync(path.join(root, file), 'secret=1\n');
    const { session } = await delegated({
      root,
      agent: isolated,
      isTrusted,
      child: [{ calls: [write('b.txt')] }, { text: 'changed' }],
    });
    const at = path.join(root, '.agent-worktrees', treesOf(root)[0] ?? '');
    expect(['.env', 'other.log', 'b.txt'].map((file) => existsSync(path.join(at, file)))).toEqual([
      isTrusted,
      false,
      true,
    ]);
    expect(await warningsOf(session)).toEqual(
      isTrusted ? [] : [expect.stringMatching(/^Agent x: \.worktreeinclude is not obeyed: .* not trusted/)],
    );
  });

  it.each([
    ['outside of git', () => makeFolder(), /is not in a git repository that has a commit/],
    [
      'where a link is in the way',
      () => {
        const root = repository();
        symlinkSync(makeFolder(), path.join(root, '.agent-worktrees'));
        return root;
      },
      /\.agent-worktrees is a link/,
    ],
  ])('is not started %s', async (_where, make, why) => {
    const { said, asked } = await delegated({ root: make(), agent: isolated, child: [{ text: 'no' }] });
    expect(said).toMatch(why);
    expect(asked).toEqual([]);
  });

  it('works where a WorktreeCreate hook says, and WorktreeRemove is told of one that is not needed any more', async () => {
    const root = repository();
    const elsewhere = path.join(realpathSync(makeFolder()), 'tree');
    const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
    const hooks = {
      WorktreeCreate: hook(
        `cat > ${root}/told.json; git worktree add -q --detach ${elsewhere} HEAD; echo made; echo ${elsewhere}`,
      ),
      WorktreeRemove: hook(`cat > ${root}/removed.json`),
    };
    const { said } = await delegated({ root, agent: isolated, settings: { hooks }, child: [{ text: 'looked' }] });
    expect(said).toBe('looked');
    expect(JSON.parse(readFileSync(path.join(root, 'told.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'WorktreeCreate',
      name: expect.stringMatching(/^agent-[0-9a-f]{8}$/),
    });
    expect(JSON.parse(readFileSync(path.join(root, 'removed.json'), 'utf8'))).toMatchObject({
      worktree_path: elsewhere,
    });
    expect(treesOf(root)).toEqual([]);
    const wrong = await delegated({
      root,
      agent: isolated,
      settings: { hooks: { WorktreeCreate: hook('echo no room >&2; exit 2') } },
      child: [{ text: 'no' }],
    });
    expect(wrong.said).toMatch(/could not be given a worktree of its own: no room/);
  });

  it('has a sandbox of its own, while that of its session leaves its files alone', async (context) => {
    const bubblewrap = await bubblewrapOrSkip(context);
    const root = repository({ '.vscode/settings.json': '{}' });
    const sandbox = createSandbox({ bubblewrap, roots: [root], homes: [makeFolder()] });
    onTestFinished(sandbox.close);
    const commands = [
      'git -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m mine',
      `touch ${root}/out; true`,
    ];
    const { said } = await delegated({
      root,
      agent: isolated,
      sandbox,
      mode: 'bypassPermissions',
      child: [{ calls: commands.map((command, n) => call('shell', { command }, `s${n}`)) }, { text: 'committed' }],
    });
    expect([said.split('\n')[0], existsSync(path.join(root, 'out'))]).toEqual(['committed', false]);
    const [tree = ''] = treesOf(root);
    expect(readdirSync(path.join(root, '.agent-worktrees', tree)).toSorted()).toEqual(['.git', '.vscode', 'a.txt']);
    expect(git(root, 'log', '-1', '--format=%s', `worktree-${tree}`)).toBe('mine');
    expect(await sandbox.refused()).toEqual([]);
  });
});

const remembering = (scope: string, more = '') =>
  `---\nname: x\ndescription: x\n${more}memory: ${scope}\n---\nYou are X.\n`;
const memory = (args: Readonly<Record<string, unknown>>) => call('memory', args);

describe('an agent with a memory', () => {
  it.each([
    ['user', '.claude/agent-memory/x'],
    ['project', '.claude/agent-memory/x'],
    ['local', '.claude/agent-memory-local/x'],
  ])('%s: begins with its index and changes its files, and the next session knows', async (scope, folder) => {
    const root = makeFolder();
    const child: Said = [
      {
        calls: [
          memory({ command: 'create', path: '/memories/MEMORY.md', file_text: '- tabs\n- later.md\n' }),
          memory({ command: 'create', path: 'later.md', file_text: 'one two\n' }),
          memory({ command: 'str_replace', path: 'later.md', old_str: 'two', new_str: 'three' }),
          memory({ command: 'insert', path: 'later.md', insert_line: 0, insert_text: 'zero' }),
          memory({ command: 'rename', path: 'later.md', new_path: 'sub/new.md' }),
          memory({ command: 'view' }),
        ],
      },
      { text: 'remembered' },
    ];
    const agent = remembering(scope, 'tools: Read\n');
    const first = await delegated({ root, agent, child });
    const at = path.join(scope === 'user' ? first.userHome : root, folder);
    expect([first.said, first.child.includes('MEMORY.md is empty so far')]).toEqual(['remembered', true]);
    expect(readFileSync(path.join(at, 'sub/new.md'), 'utf8')).toBe('zero\none three\n');
    expect(existsSync(path.join(at, 'later.md'))).toBe(false);
    if (scope === 'user') return;
    const again = await delegated({ root, agent, child: [{ text: 'known' }] });
    expect(again.child).toContain('- tabs\\n- later.md');
  });

  it('writes nowhere else, through no link, not where a rule denies it, and not where nothing may be changed', async () => {
    const root = makeFolder();
    const outside = makeFolder({ 'o.txt': 'o' });
    mkdirSync(path.join(root, '.claude/agent-memory/x'), { recursive: true });
    symlinkSync(outside, path.join(root, '.claude/agent-memory/x/link'));
    const tries = ['../../evil.md', `${outside}/evil.md`, 'link/evil.md'].map((file) =>
      memory({ command: 'create', path: file, file_text: 'x' }),
    );
    await delegated({ root, agent: remembering('project'), child: [{ calls: tries }, { text: 'tried' }] });
    expect([readdirSync(outside), existsSync(path.join(root, '.claude/evil.md'))]).toEqual([['o.txt'], false]);
    const wish: Said = [{ calls: [memory({ command: 'create', path: 'a.md', file_text: 'x' })] }, { text: 'tried' }];
    const settings = { permissions: { deny: ['Edit(./.claude/**)'] } };
    const [denied, planned] = [
      await delegated({ root, agent: remembering('project'), child: wish, rules: [], settings }),
      await delegated({ root, agent: remembering('project'), child: wish, mode: 'plan' }),
    ];
    expect([planned.child.includes('Nothing is written down'), denied.said]).toEqual([true, 'tried']);
    expect(existsSync(path.join(root, '.claude/agent-memory/x/a.md'))).toBe(false);
  });
});

const SERVER = `let text='';process.stdin.on('data',(d)=>{text+=d;for(let i;(i=text.indexOf('\\n'))>=0;text=text.slice(i+1)){const m=JSON.parse(text.slice(0,i));if(m.id===undefined)continue;const result=m.method==='initialize'?{protocolVersion:m.params.protocolVersion,capabilities:{tools:{}},serverInfo:{name:'s',version:'1'}}:m.method==='tools/list'?{tools:[{name:'hi',inputSchema:{type:'object'}}]}:{content:[{type:'text',text:'hello from '+process.cwd()}]};process.stdout.write(JSON.stringify({jsonrpc:'2.0',id:m.id,result})+'\\n')}})`;

describe('an agent with servers of its own', () => {
  const serving = (command: string) =>
    `---\nname: x\ndescription: x\nmcpServers:\n  - known\n  - own:\n      command: ${JSON.stringify(command)}\n      args: [server.cjs]\n---\nYou are X.\n`;

  it('has their tools, its session does not, and one that does not start is told', async () => {
    const root = makeFolder({ 'server.cjs': SERVER });
    const child: Said = [{ calls: [call('mcp__own__hi')] }, { text: 'heard' }];
    const { child: seen, session } = await delegated({
      root,
      agent: serving(process.execPath),
      rules: ['mcp__own__hi'],
      child,
    });
    expect(seen).toContain(`hello from ${realpathSync(root)}`);
    expect(session.tools().map(({ name }) => name)).not.toContain('mcp__own__hi');
    expect(session.servers()).toEqual([]);
    const lame = await delegated({ root, agent: serving('/no/such/program'), child: [{ text: 'alone' }] });
    expect(lame.said).toBe('alone');
    expect(await warningsOf(lame.session)).toEqual([expect.stringMatching(/^Agent x: .*own/)]);
  });

  it('a dozen servers of a session at once give no warning about listeners', async () => {
    const root = makeFolder({ 'server.cjs': SERVER });
    const one = { command: process.execPath, args: [path.join(root, 'server.cjs')] };
    const settings = { mcpServers: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`s${n}`, one])) };
    const warned: string[] = [];
    const hear = ({ name }: Error): void => void warned.push(name);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const { session } = await delegated({ root, agent: remembering('local'), settings, child: [{ text: 'heard' }] });
    await vi.waitFor(() => expect(session.tools().filter(({ name }) => name.startsWith('mcp__s'))).toHaveLength(12), {
      timeout: 60_000,
    });
    await session.close();
    expect(warned).not.toContain('MaxListenersExceededWarning');
  });

  it.each([true, false])(
    'of a repository: only if it is trusted, and they end with the agent: %s',
    async (isTrusted) => {
      const marked = `require('node:fs').writeFileSync('pid', String(process.pid));${SERVER}`;
      const agent = serving(process.execPath).replace('name: x', 'name: theirs');
      const root = repository({ 'server.cjs': marked, '.claude/agents/theirs.md': agent });
      const { child, session } = await delegated({
        root,
        agent: isolated,
        isTrusted,
        kind: 'theirs',
        rules: ['mcp__own__hi'],
        child: [{ calls: [call('mcp__own__hi')] }, { text: 'heard' }],
      });
      const pid = path.join(root, 'pid');
      expect([child.includes('hello from'), existsSync(pid)]).toEqual([isTrusted, isTrusted]);
      expect(session.servers()).toEqual([]);
      if (!isTrusted) return;
      const isGone = (): void => expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
      // The session is still open.
      await vi.waitFor(isGone, { timeout: 60_000 });
    },
  );
});
