import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/* A tool is its file, its row and the line that makes it. The three are planted in a copy of the sources, and the tool is looked for
   wherever tools are known. */

const CHECKOUT = join(import.meta.dirname, '../..');
const TOOL_FILE = 'packages/agent/src/tools/count-lines.ts';
const ROWS = 'packages/tool-table/src/rows/files.ts';
const MAKERS = 'packages/agent/src/profiles/make-tools.ts';

const FILE = `import type { RegisteredTool } from '../types/index.ts';
import { answering, requiredText } from './arguments.ts';

export function createCountLinesTool(): RegisteredTool {
  return {
    definition: {
      name: 'count_lines',
      description: 'Counts the lines of a file.',
      parameters: {
        type: 'object',
        properties: { file_path: { type: 'string', description: 'The file.' } },
        required: ['file_path'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, env) =>
      String((await env.readText(requiredText(args, 'file_path'))).split('\\n').length),
    ),
    readOnly: true,
  };
}
`;

const ROW = `  count_lines: {
    does: 'counts the lines of a file',
    families: { anthropic: { always: 'CountLines' }, openai: OWN },
    use: 'look',
    touches: readsFile,
    rule: 'Read',
    whereNothingChanges: 'promised',
    subject: PATHS,
  },
`;

/** Asked of the copy in one process: to load its sources takes longer than to answer. */
const QUESTIONS = `import { BUILT_IN_AGENTS, createProfile } from '@attractor/agent';
import { main } from '@attractor/cli';
import { createPolicy, parseRule } from '@attractor/policy';

const names = (id) => createProfile(id).toolRegistry.definitions().map(({ name }) => name).filter((name) => /count/i.test(name));
const agents = BUILT_IN_AGENTS.filter(({ tools }) => tools?.includes('count_lines')).map(({ name }) => name);
const offered = { anthropic: names('anthropic'), openai: names('openai'), gemini: names('gemini'), agents };

const origin = { scope: 'user', file: null, line: null, root: '/work' };
const rule = (text, behavior) => parseRule(text, behavior, origin);
const judge = async (rules, toolName, file_path) =>
  (await createPolicy({ rules, mode: 'default', root: '/work', home: '/home', sandboxed: false })
    .judge({ toolName, args: { file_path } })).decision;
const denied = [rule('Read(secret/**)', 'deny').rule];
const tool = [rule('CountLines', 'deny').rule];
const judged = [
  await judge([], 'CountLines', 'a.txt'),
  await judge([], 'count_lines', '/etc/passwd'),
  await judge(denied, 'CountLines', 'secret/a'),
  await judge(tool, 'count_lines', 'a.txt'),
  rule('count_lines(src/**)', 'allow').rule.tool,
  rule('countlines', 'allow').error.message,
];

console.log(JSON.stringify({ offered, judged }));
const ended = [await main(['tool', 'CountLines', '--cwd', '.']), await main(['tool', '--help'])];
process.exitCode = Math.max(...ended);
`;

const world = { root: '', offered: {}, judged: [], ran: '', help: '' };

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'new-tool-'));
  world.root = root;
  copySources(root);
  writeFileSync(join(root, TOOL_FILE), FILE);
  edit(ROWS, [/^export const FILES = \{\n/m, (head) => head + ROW]);
  edit(
    MAKERS,
    [/^import /, (first) => `import { createCountLinesTool } from '../tools/count-lines.ts';\n${first}`],
    [/^const MAKERS: Makers = \{\n/m, (head) => `${head}  count_lines: () => createCountLinesTool(),\n`],
  );
  writeFileSync(join(root, 'questions.ts'), QUESTIONS);
  const [answers = '', ran = '', ...help] = run('questions.ts').split('\n');
  Object.assign(world, JSON.parse(answers), { ran, help: help.join(' ') });
});

afterAll(() => rmSync(world.root, { recursive: true, force: true }));

function copySources(root: string): void {
  const isSource = (file: string): boolean => !/^(?:node_modules|dist|fixtures|.*\.test\.tsx?)$/.test(basename(file));
  for (const folder of ['packages', 'tests/house', 'tests/walks/test-support', 'docs'])
    cpSync(join(CHECKOUT, folder), join(root, folder), { recursive: true, filter: isSource });
  for (const file of ['package.json', 'tsconfig.base.json', 'AGENTS.md'])
    cpSync(join(CHECKOUT, file), join(root, file));
  mkdirSync(join(root, 'node_modules/@attractor'), { recursive: true });
  for (const name of readdirSync(join(CHECKOUT, 'node_modules')))
    if (name !== '@attractor') symlinkSync(join(CHECKOUT, 'node_modules', name), join(root, 'node_modules', name));
  for (const name of readdirSync(join(root, 'packages')))
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@attractor', name));
}

function edit(file: string, ...changes: ReadonlyArray<readonly [RegExp, (found: string) => string]>): void {
  const path = join(world.root, file);
  let text = readFileSync(path, 'utf8');
  for (const [place, change] of changes) {
    expect(text).toMatch(place);
    text = text.replace(place, change);
  }
  writeFileSync(path, text);
}

function run(...args: ReadonlyArray<string>): string {
  return execFileSync(process.execPath, args, {
    cwd: world.root,
    encoding: 'utf8',
    input: '{"file_path":"AGENTS.md"}',
  });
}

describe('a tool that was given its file, its row and its line', () => {
  it('is offered by the profiles of its families, under their names, and to the agents that look around', () => {
    expect(world.offered).toEqual({
      anthropic: ['CountLines'],
      openai: ['count_lines'],
      gemini: [],
      agents: ['explore', 'plan', 'code', 'test'],
    });
  });

  it('is judged by what it touches, under every name, and rules speak of it', () => {
    expect(world.judged).toEqual([
      'allow',
      'ask',
      'deny',
      'deny',
      'Read',
      'The rule "countlines" is not understood: there is no tool countlines; expected CountLines.',
    ]);
  });

  it('is in the help of the tool command, which runs it by itself', () => {
    expect(world.help.replaceAll(/\s+/g, ' ')).toContain('count_lines, read_file');
    expect(JSON.parse(world.ran)).toMatchObject({ is_error: false });
  });

  it('is on the page on tools, once that is drawn', () => {
    expect(run('tests/house/draw-docs.ts')).toContain('docs/tools.md: drawn anew');
    const [row = ''] = /^.*`count_lines`.*$/m.exec(readFileSync(join(world.root, 'docs/tools.md'), 'utf8')) ?? [];
    expect(row.split('|').map((cell) => cell.trim())).toEqual([
      '',
      'counts the lines of a file',
      '`count_lines`',
      '`CountLines`',
      'yes',
      '',
      '`Read`',
      '',
      '',
    ]);
  });

  it('is told by the web app with what it does and the file that it is about', async () => {
    const source = `
      import { createElement } from 'react';
      import { renderToStaticMarkup } from 'react-dom/server';
      import { describeTools } from '@attractor/tool-table';
      import { ToolCall } from './packages/web/src/run/tool-call.tsx';
      import { Tools } from './packages/web/src/run/tools.ts';
      const at = '2026-01-01T00:00:00.000Z';
      const tool = { kind: 'tool', key: 'k', toolCallId: 'c', toolName: 'CountLines', input: { note: 'x', file_path: 'src/a.ts' },
        startedAt: at, result: { output: '3', isError: false, at } };
      const call = createElement(ToolCall, { tool, liveOutput: '' });
      console.log(JSON.stringify(renderToStaticMarkup(createElement(Tools, { value: describeTools() }, call))));`;
    await build({
      stdin: { contents: source, resolveDir: world.root, loader: 'tsx' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      jsx: 'automatic',
      outfile: join(world.root, 'label.cjs'),
      logLevel: 'error',
    });
    const shown = String(JSON.parse(run('label.cjs')));
    expect(shown).toMatch(/title="counts the lines of a file">CountLines</);
    expect(shown).toMatch(/<code[^>]*>src\/a\.ts<\/code>/);
  });

  it('compiles whole, and not without one of its facts or the line that makes it', () => {
    const check = (): string => {
      writeFileSync(
        join(world.root, 'tsconfig.json'),
        JSON.stringify({ extends: './tsconfig.base.json', files: [MAKERS, ROWS] }),
      );
      const { stdout } = spawnSync(join(CHECKOUT, 'node_modules/.bin/tsc'), ['-p', world.root], { encoding: 'utf8' });
      return stdout;
    };
    expect(check()).toBe('');
    edit(ROWS, [/^ {4}touches: readsFile,\n/m, () => '']);
    edit(MAKERS, [/^ {2}count_lines: .*\n/m, () => '']);
    expect(check()).toMatch(
      /'touches' is missing[^]*'count_lines' is missing|'count_lines' is missing[^]*'touches' is missing/,
    );
  });
});
