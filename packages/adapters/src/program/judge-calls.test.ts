import { realpathSync } from 'node:fs';
import path from 'node:path';
import { buildPathCase, type PathCase, pathCases } from '@attractor/confine/testing';
import { describe, expect, it } from 'vitest';
import { makeRun } from '../testing/index.ts';
import { createCallJudge, type ForeignCall } from './judge-calls.ts';

type Asked = Omit<ForeignCall, 'toolCallId'>;

const write = (file: string): Asked => ({ toolName: 'Write', args: { file_path: file, content: 'x' } });
const change = (...files: ReadonlyArray<string>): Asked => ({
  toolName: 'Edit',
  args: { file_path: files[0] ?? '' },
  changes: files,
});

/** What a foreign agent asks for each kind of operation. The other kinds are commands, or not an agent's. */
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
};

async function judged(one: PathCase): Promise<string> {
  const world = buildPathCase(one);
  try {
    const { options } = await makeRun({ projectPath: realpathSync(world.root) });
    const call = CALLS[one.op]?.(world.asked, world.source);
    if (call === undefined) return 'not asked';
    return (await createCallJudge(options).judge({ toolCallId: '1', ...call })).decision;
  } finally {
    world.remove();
  }
}

describe('the guard for foreign agents', () => {
  const cases = pathCases('paths').filter(
    (one) => CALLS[one.op] !== undefined && one.during === undefined && one.cwd === undefined,
  );

  it('refuses every path of the list that leads out, and none that stays inside', async () => {
    const wrong: string[] = [];
    for (const one of cases) {
      const decision = await judged(one);
      if (one.allowed === (decision === 'deny'))
        wrong.push(`${one.id} ${one.op} ${one.path}: ${decision} (${one.why})`);
    }
    expect(cases.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
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
