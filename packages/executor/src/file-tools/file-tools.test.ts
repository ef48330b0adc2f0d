import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPathCase, type PathCase } from '@attractor/confine/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FileToolsTransport, TRANSPORTS, openFileTools } from '../test-support/open-file-tools.ts';
import { callsOf, fileToolCases } from '../test-support/path-calls.ts';
import { answerOf, commandLineOf } from './file-tools.ts';
import type { FileToolAnswer } from './run.ts';

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

const LONG = 'long line\n'.repeat(30_000);

/** The requests, in order: every tool, each kind of failure, and both spellings of arguments. */
const CALLS: ReadonlyArray<Call> = [
  ['file.list', {}],
  ['file.list', { path: 'src', pattern: '**/*.ts' }],
  ['file.read', { path: 'src/a.ts' }],
  ['file.read', { path: 'src/a.ts', offset: 1, limit: 1 }],
  ['file_read', { path: 'ümlaut.txt' }],
  ['file.search', { pattern: 'export', contextLines: 1 }],
  ['file.search', { pattern: 'EXPORT', case_sensitive: false, max_results: 1, glob: '*.ts' }],
  ['file.write', { path: 'new/deep/file.txt', content: 'made 🙂\n' }],
  ['file.write', { path: 'long.txt', content: LONG }],
  ['file.read', { path: 'long.txt', limit: 3 }],
  ['file.patch', { path: 'src/a.ts', patches: [{ find: 'a - b', replace: 'a + b' }] }],
  ['file.patch', { path: 'src/a.ts', patches: [{ find: 'return', replace: 'yield', start_line: 6 }] }],
  [
    'file.patch',
    {
      path: 'src/a.ts',
      patches: [
        { find: 'return', replace: 'x' },
        { find: 'nowhere', replace: 'y' },
      ],
    },
  ],
  ['file.patch', { path: 'src/a.ts', patches: [{ find: 'number', replace: 'x' }] }],
  ['file.delete', { path: 'new/deep/file.txt' }],
  ['file.delete', { path: 'src' }],
  ['file.delete', { path: 'none.txt' }],
  ['file.read', { path: 'none.txt' }],
  ['file.read', { path: 'src' }],
  ['file.read', { path: '../outside.txt' }],
  ['file.read', { path: 'binary' }],
  ['file.list', { path: 'src/a.ts' }],
  ['file.list', { path: 'none' }],
  ['file.search', { pattern: '(' }],
  ['file.read', {}],
  ['file.read', { path: 5 }],
  ['file.read', { path: 'src/a.ts', offset: -1 }],
  ['file.patch', { path: 'src/a.ts', patches: [] }],
  ['file.write', { path: '.git/config', content: 'x' }],
];

function makeWorkspace(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'file-tools-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.join(root, 'src'));
  writeFileSync(
    path.join(root, 'src/a.ts'),
    'export function sub(a: number, b: number) {\n  return a - b;\n}\n\nexport function* one() {\n  return 1;\n}\n',
  );
  writeFileSync(path.join(root, 'ümlaut.txt'), 'ä\r\nö');
  writeFileSync(path.join(root, 'binary'), Buffer.from([1, 0, 2]));
  for (const name of ['src/a.ts', 'ümlaut.txt', 'binary', 'src'])
    utimesSync(path.join(root, name), 1_700_000_000, 1_700_000_000);
  return root;
}

async function answersOf(transport: FileToolsTransport, calls = CALLS): Promise<ReadonlyArray<string>> {
  const root = makeWorkspace();
  const tools = await openFileTools(transport, root);
  const answers: string[] = [];
  for (const [name, input] of calls) {
    const { output, isError } = await tools.run({ name, input });
    answers.push(`${name} ${isError ? 'failed' : 'done'} ${output.replaceAll(root, 'ROOT')}`);
  }
  await tools.close();
  answers.push(readFileSync(path.join(root, 'src/a.ts'), 'utf8'), String(statSync(path.join(root, 'long.txt')).size));
  return answers;
}

/**
 * Each call of the program is a start: every tool in each spelling, done and failed, what is long and what is not ASCII; all calls in a
 * soak (SOAK=1).
 */
function callsOfProgram(answers: ReadonlyArray<string>): ReadonlyArray<Call> {
  if (process.env['SOAK'] === '1') return CALLS;
  const kindOf = (index: number): string => (answers[index] ?? '').split(' ', 2).join(' ');
  return CALLS.filter((call, index) => {
    const isFirst = CALLS.findIndex((_call, other) => kindOf(other) === kindOf(index)) === index;
    return isFirst || call[1]['path'] === 'long.txt';
  });
}

describe('the three ways to reach the file tools', () => {
  it('give the same bytes, call for call', async () => {
    const [inProcess, mcp] = await Promise.all([answersOf('in process'), answersOf('MCP')]);
    expect(mcp).toEqual(inProcess);
    expect(inProcess).toHaveLength(CALLS.length + 2);
    const calls = callsOfProgram(inProcess);
    expect(new Set(calls.map(([name]) => name))).toEqual(new Set(CALLS.map(([name]) => name)));
    expect(await answersOf('binary', calls)).toEqual(await answersOf('in process', calls));
  });

  it('build the command line of the program from the workspace and one JSON object', () => {
    const program = { command: ['file-tools'] as const, workspaceRoot: '/w' };
    expect(commandLineOf(program, { name: 'file_read', input: { path: 'a b.txt' } })).toEqual({
      argv: ['file-tools', '/w', '{"tool":"file.read","path":"a b.txt"}'],
      stdin: '',
    });
    const long = commandLineOf(program, { name: 'file.write', input: { path: 'a', content: LONG } });
    expect(long.argv).toEqual(['file-tools', '/w', '-']);
    expect(JSON.parse(long.stdin)).toMatchObject({ tool: 'file.write', path: 'a' });
  });

  it('read success, failure and nonsense from what the program prints', () => {
    expect(answerOf('{"success":true}\n')).toEqual({ output: '{"success":true}', isError: false });
    expect(answerOf('{"error":"file_not_found","message":"m"}\n')).toMatchObject({ isError: true });
    for (const nonsense of ['', 'Segmentation fault', '[1]', '{"a":']) expect(answerOf(nonsense)).toBeNull();
  });

  it('stop a program that is cancelled', async () => {
    const tools = await openFileTools('binary', makeWorkspace());
    const answer = await tools.run({ name: 'file.list', input: {}, signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ isError: true, output: expect.stringContaining('"cancelled"') });
  });
});

/** Starting all programs at once would make them wait for each other on a small machine. */
const LANES = 4;

describe('no way to the tools leads out of the workspace', () => {
  it('and every kind of case in the list is known', () => {
    expect(fileToolCases().unknown).toEqual([]);
  });

  it.each(TRANSPORTS)('in any case of the list: %s', async (transport) => {
    expect(fileToolCases().cases.length).toBeGreaterThan(50);
    const cases = fileToolCases().cases.filter((one, _index, all) => isTried(transport, one, all));
    const broken: string[] = [];
    const lane = async (): Promise<void> => {
      for (let one = cases.shift(); one !== undefined; one = cases.shift()) {
        const problem = await tryCase(one, transport);
        if (problem !== null) broken.push(`${one.id} ${one.op} ${one.why}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(broken).toEqual([]);
  });

  it('a link that was planted as the way to a new file is not followed', async () => {
    const root = makeWorkspace();
    const target = mkdtempSync(path.join(tmpdir(), 'file-tools-target-'));
    onTestFinished(() => rmSync(target, { recursive: true, force: true }));
    symlinkSync(target, path.join(root, 'way'));
    const tools = await openFileTools('in process', root);
    const answer = await tools.run({ name: 'file.write', input: { path: 'way/file', content: 'x' } });
    expect(JSON.parse(answer.output)).toMatchObject({ error: 'path_outside_workspace' });
  });
});

/** Each call of the program is a start: it is tried on some of the cases of each operation, allowed and not, and on all in a soak (SOAK=1). */
function isTried(transport: FileToolsTransport, one: PathCase, all: ReadonlyArray<PathCase>): boolean {
  if (transport !== 'binary' || process.env['SOAK'] === '1') return true;
  const alike = all.filter(({ op, allowed }) => op === one.op && allowed === one.allowed);
  return alike.indexOf(one) % 8 === 0;
}

async function tryCase(one: PathCase, transport: FileToolsTransport): Promise<string | null> {
  const world = buildPathCase(one);
  try {
    const before = world.outside();
    const tools = await openFileTools(transport, world.root);
    const answers: FileToolAnswer[] = [];
    for (const call of callsOf(one.op, world.asked, world.source)) answers.push(await tools.run(call));
    await tools.close();
    const told = answers.map(({ output }) => output).join('\n');
    if (answers.some(({ isError }) => isError) === one.allowed && one.acceptEither === undefined)
      return `answered ${told}`;
    if (!one.allowed && /secret/.test(told.replaceAll('secret.txt', ''))) return 'told what is outside';
    return JSON.stringify(before) === JSON.stringify(world.outside()) ? null : 'changed what is outside';
  } finally {
    world.remove();
  }
}
