import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createSandbox, findSandbox, startProgram } from '@attractor/confine';
import { buildPathCase, type PathCase, pathCases, type PathWorld } from '@attractor/confine/testing';
import { readSetup } from '@attractor/settings';
import { describe, expect, it } from 'vitest';
import type { AgentRunOptions } from '../agent.ts';
import { makeRun } from '../testing/index.ts';
import { createCallJudge, type ForeignCall } from './judge-calls.ts';

type Asked = Omit<ForeignCall, 'toolCallId'>;

const write = (file: string): Asked => ({ toolName: 'Write', args: { file_path: file, content: 'x' } });
const change = (...files: ReadonlyArray<string>): Asked => ({
  toolName: 'Edit',
  args: { file_path: files[0] ?? '' },
  places: files,
});

/** An agent has no addresses of a server: it asks for the file that one names, decoded once. */
const named = (address: string): string => decodeURIComponent(address.replace(/^\/files\?path=|^\/static\//, ''));

/** What a foreign agent asks for each kind of operation. An archive is unpacked, and a temporary file made, by writing files. */
const CALLS: Readonly<Record<string, (file: string, source: string) => Asked>> = {
  read: (file) => ({ toolName: 'Read', args: { file_path: file } }),
  list: (file) => ({ toolName: 'LS', args: { path: file } }),
  write,
  create: write,
  delete: (file) => change(file),
  rename: (file, source) => change(file, source),
  'patch-add': write,
  'patch-update': (file) => change(file),
  'patch-delete': (file) => change(file),
  'patch-move': (file, source) => change(file, source),
  extract: write,
  temp: write,
  grant: (folder) => ({ toolName: 'LS', args: { path: folder } }),
  'http-get': (address) => ({ toolName: 'Read', args: { file_path: named(address) } }),
};

/** Only a command has a folder of its own. */
function callOf(one: PathCase, { asked, source, cwd }: PathWorld): ForeignCall {
  const call = CALLS[one.op]?.(asked, source);
  if (call === undefined) throw new Error(`Nobody knows what an agent asks for to ${one.op}.`);
  const inFolder = { toolName: 'Bash', args: { command: `echo changed > '${asked}'`, workdir: cwd } };
  return { toolCallId: '1', ...(cwd === null ? call : inFolder) };
}

/** The person looks at it for as long as it takes to swap the file; then they say yes. */
async function decided(one: PathCase, world: PathWorld): Promise<string> {
  const projectPath = realpathSync(world.root);
  const home = path.join(projectPath, '..', 'home');
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  writeFileSync(
    path.join(home, '.claude', 'settings.json'),
    JSON.stringify({ permissions: { ask: ['Read', 'Edit'] } }),
  );
  const setup = await readSetup({ folder: projectPath, home, userHome: home, env: {} });
  let asked = 0;
  const approve: AgentRunOptions['approve'] = async () => {
    world.swap();
    asked += 1;
    return { decision: 'approve' };
  };
  const { options } = await makeRun({ projectPath, setup, approve });
  const answer = await createCallJudge(options).decide(callOf(one, world));
  if (asked !== 1) return 'not asked';
  return answer.allowed ? 'allow' : 'deny';
}

async function judged(one: PathCase): Promise<string> {
  const world = buildPathCase(one);
  try {
    if (one.during !== undefined) return await decided(one, world);
    const { options } = await makeRun({ projectPath: realpathSync(world.root) });
    const { decision } = await createCallJudge(options).judge(callOf(one, world));
    return decision === 'deny' ? 'deny' : 'allow';
  } finally {
    world.remove();
  }
}

/** Cases whose name is taken as it is, so that it may be asked for, and nothing is there. */
const NOTHING_THERE: ReadonlySet<string> = new Set(['p125']);

describe('the guard for foreign agents', () => {
  it('refuses every path of the list that leads out, also one that does so only once a person has said yes, and none that stays inside', async () => {
    const decisions: Record<string, string> = {};
    for (const one of pathCases('paths')) decisions[`${one.id}: ${one.why}`] = await judged(one);
    const expected = pathCases('paths').map((one) => {
      const isAllowed = one.allowed || NOTHING_THERE.has(one.id);
      return [`${one.id}: ${one.why}`, isAllowed ? 'allow' : 'deny'] as const;
    });
    expect(decisions).toEqual(Object.fromEntries(expected));
    expect(Object.keys(decisions)).toHaveLength(69);
  });

  it('leaves what a program opens itself, between our yes and its opening, to the sandbox, which shows it nothing outside', async (context) => {
    const bubblewrap = await findSandbox({ roots: [] });
    if (!bubblewrap.available) return context.skip(bubblewrap.reason);
    const races = pathCases('paths').filter((one) => one.during !== undefined);
    expect(races.map(({ id }) => id)).toEqual(['p059', 'p061']);
    for (const one of races) {
      const world = buildPathCase(one);
      const cwd = realpathSync(world.root);
      const sandbox = createSandbox({ bubblewrap, roots: [cwd] });
      const before = world.outside();
      world.swap();
      const opens = one.op === 'read' ? `cat '${world.asked}'` : `echo changed > '${world.asked}'`;
      const argv = ['/bin/sh', '-c', `${opens}; echo "and $?"`] as const;
      const { child, end } = startProgram({
        argv: [...argv],
        cwd,
        env: {},
        inherited: {},
        sandbox,
        mark: `run_${one.id}`,
      });
      const said = await text(child.stdout ?? Readable.from([]));
      await end({ askAfterMs: 0, killAfterMs: 5_000 });
      await sandbox.close();
      expect([one.id, said, world.outside()]).toEqual([one.id, expect.stringMatching(/^and [12]\n$/), before]);
      world.remove();
    }
  });

  it('takes paths as programs do: a home, an address of a file, a pattern that begins elsewhere', async () => {
    const { options } = await makeRun();
    const { judge } = createCallJudge(options);
    const decided = async (toolName: string, args: object): Promise<string> =>
      (await judge({ toolCallId: '1', toolName, args: { ...args } })).decision;
    expect(await decided('Read', { file_path: '~/.ssh/id_rsa' })).toBe('deny');
    expect(await decided('Read', { file_path: '~root/.profile' })).toBe('deny');
    expect(await decided('Write', { file_path: 'file:///etc/passwd' })).toBe('deny');
    expect(await decided('Glob', { pattern: '/etc/*' })).toBe('deny');
    expect(await decided('Glob', { pattern: '../**' })).toBe('deny');
    expect(await decided('tool_of_tomorrow', { filePath: '/etc/passwd' })).toBe('deny');
    expect(await decided('Glob', { pattern: '**/*.txt' })).toBe('allow');
    expect(await decided('Write', { file_path: path.join(options.projectPath, 'new.txt') })).toBe('allow');
    expect(await decided('Write', { file_path: '.git/hooks/pre-commit' })).toBe('deny');
  });
});
