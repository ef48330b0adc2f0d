import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { call } from '../testing/scripted-client.ts';
import { makeSession } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { createMemoryJournal } from '@attractor/journal';
import { createSession, resumeSession } from '../session/session.ts';
import { createScriptedClient } from '../testing/scripted-client.ts';
import type { RegisteredTool, Turn } from '../types/index.ts';
import { createGrepTool } from './grep.ts';
import { createMultiEditTool } from './multi-edit.ts';
import { createExitPlanModeTool, type PlanAnswer } from './plan/exit-plan-mode.ts';
import { createSlashCommandTool } from './plan/slash-command.ts';
import { createReadFileTool } from './read-file.ts';
import { todosOf } from './todos/todos.ts';
import { createTodoReadTool, createTodoWriteTool } from './todos/tools.ts';

function world(files: Readonly<Record<string, string>> = {}) {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const use = async (tool: RegisteredTool, args: Readonly<Record<string, unknown>>) => {
    const answer = await tool.executor(args, env);
    return typeof answer === 'string' ? { output: answer, isError: false } : answer;
  };
  return { env, use, content: (name: string) => readFileSync(path.join(root, name), 'utf8') };
}

describe('multi_edit', () => {
  const tool = createMultiEditTool();
  const edits = (...pairs: ReadonlyArray<readonly [string, string, boolean?]>) =>
    pairs.map(([old_string, new_string, replace_all = false]) => ({ old_string, new_string, replace_all }));

  it('makes each edit on what the one before left, and keeps line ends', async () => {
    const { use, content } = world({ 'a.txt': 'one\r\ntwo\r\ntwo\r\n' });
    const { output } = await use(tool, { file_path: 'a.txt', edits: edits(['one', 'two'], ['two', 'three', true]) });
    expect(output).toBe('Edited a.txt: 2 edits.\n1: line 1\n2: lines 1, 2, 3');
    expect(content('a.txt')).toBe('three\r\nthree\r\nthree\r\n');
  });

  it('makes all of them or none, and says which one failed', async () => {
    const { use, content } = world({ 'a.txt': 'one\ntwo\n' });
    expect(await use(tool, { file_path: 'a.txt', edits: edits(['one', '1'], ['three', '3']) })).toMatchObject({
      isError: true,
      output: expect.stringContaining('a.txt was not changed: edit 2 of 2: old_string was not found'),
    });
    expect(await use(tool, { file_path: 'a.txt', edits: [] })).toMatchObject({ isError: true });
    expect(content('a.txt')).toBe('one\ntwo\n');
  });

  it('refuses a file that changed since it was read', async () => {
    const { use, env, content } = world({ 'a.txt': 'one\n' });
    await use(createReadFileTool(), { file_path: 'a.txt' });
    await env.execCommand('echo two >> a.txt');
    expect(await use(tool, { file_path: 'a.txt', edits: edits(['one', '1']) })).toMatchObject({
      output: expect.stringContaining('changed since it was read'),
    });
    expect(content('a.txt')).toBe('one\ntwo\n');
  });
});

describe('grep', () => {
  it('has output modes, sides, types, parts, and pages of a long result', async () => {
    const { use } = world({ 'a.ts': 'x1\ny\nX2\n', 'b.md': 'x3\n' });
    const grep = async (args: Readonly<Record<string, unknown>>) =>
      (await use(createGrepTool(), { pattern: 'x', ...args })).output;
    expect(await grep({ output_mode: 'files_with_matches' })).toBe('a.ts\nb.md');
    expect(await grep({ output_mode: 'count', case_sensitive: false })).toBe('a.ts:2\nb.md:1');
    expect(await grep({ file_type: 'ts', lines_after: 1 })).toBe('a.ts:1:x1\na.ts-2-y');
    expect(await grep({ pattern: 'x.', only_matching: true, line_numbers: false })).toBe('a.ts:x1\nb.md:x3');
    expect(await grep({ pattern: 'x1.y', multiline: true })).toBe('a.ts:1:x1\na.ts:2:y');
    expect(await grep({ head_limit: 1 })).toBe('a.ts:1:x1\n[1 more lines; the next offset is 1.]');
    expect(await grep({ head_limit: 1, offset: 1 })).toBe('b.md:1:x3');
    expect(await grep({ offset: 5 })).toBe('The result has only 2 lines.');
    expect(await use(createGrepTool(), { pattern: 'x', file_type: 'klingon' })).toMatchObject({ isError: true });
  });
});

describe('the list of steps', () => {
  const steps = [
    { content: 'Read', status: 'completed' },
    { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
    { content: 'Test', status: 'pending' },
  ];

  it('is in the conversation alone: a resumed session reads what the first one wrote', async () => {
    const journal = createMemoryJournal();
    const world = makeSession([{ calls: [call('todo_write', { todos: steps })] }, { text: 'noted' }], {
      journal,
      tools: [createTodoWriteTool()],
    });
    await world.session.submit('plan');
    expect(todosOf(world.session.history())).toEqual(steps);
    await world.session.close();
    const history: { turns: () => ReadonlyArray<Turn> } = { turns: () => [] };
    world.options.profile.toolRegistry.register(createTodoReadTool(() => history.turns()));
    const again = resumeSession({
      ...world.options,
      journal,
      client: createScriptedClient([{ calls: [call('todo_read')] }, { text: 'read' }]),
    });
    history.turns = again.history;
    await again.submit('what is left?');
    expect(JSON.stringify(again.history())).toContain(String.raw`[x] Read\n[>] Write\n[ ] Test`);
    expect(todosOf(again.history())).toEqual(steps);
    await again.close();
  });

  it('may begin with an input, and belongs to the conversation from then on', async () => {
    const journal = createMemoryJournal();
    const world = makeSession([{ text: 'noted' }], { journal });
    await world.session.submit('work', { todo: ['Read', 'Write'] });
    await world.session.close();
    const again = resumeSession({ ...world.options, journal, client: createScriptedClient([]) });
    expect(todosOf(again.history())).toEqual([
      { content: 'Read', status: 'pending' },
      { content: 'Write', status: 'pending' },
    ]);
    await again.close();
  });

  it('that was refused never was; the last one counts, under every name that it is written by', async () => {
    const { use } = world();
    const two = steps.map((step) => ({ ...step, status: 'in_progress' }));
    expect(await use(createTodoWriteTool(), { todos: two })).toMatchObject({ isError: true });
    const turns = (name: string, args: Readonly<Record<string, unknown>>, isError = false): ReadonlyArray<Turn> => [
      { kind: 'assistant', content: [{ kind: 'TOOL_CALL', toolCallId: name, toolName: name, args }] },
      { kind: 'tool_results', results: [{ toolCallId: name, output: '', isError }] },
    ];
    const plan = turns('update_plan', { plan: [{ step: 'Go', status: 'pending' }] });
    expect(todosOf(plan)).toEqual([{ content: 'Go', status: 'pending' }]);
    expect(todosOf([...plan, ...turns('TodoWrite', { todos: two }, true)])).toEqual(todosOf(plan));
    expect(
      todosOf([...plan, ...turns('write_todos', { todos: [{ description: 'On', status: 'completed' }] })]),
    ).toEqual([{ content: 'On', status: 'completed' }]);
    expect(todosOf([])).toEqual([]);
    expect(
      (
        await use(
          createTodoReadTool(() => []),
          {},
        )
      ).output,
    ).toBe('There is no list of steps.');
  });
});

describe('exit_plan_mode', () => {
  it.each<[PlanAnswer, boolean, string]>([
    [{ approved: true }, false, 'approved the plan: begin'],
    [{ approved: true, plan: 'other' }, false, 'begin with this one.\nother'],
    [{ approved: false }, true, 'did not approve'],
    [{ approved: false, feedback: 'smaller' }, true, 'They said:\nsmaller'],
  ])('%j', async (answer, isError, said) => {
    const plans: string[] = [];
    const { use } = world();
    const tool = createExitPlanModeTool(async (plan) => {
      plans.push(plan);
      return answer;
    });
    expect(await use(tool, { plan: '1. Do it' })).toMatchObject({ isError, output: expect.stringContaining(said) });
    expect(plans).toEqual(['1. Do it']);
  });
});

describe('slash_command', () => {
  const tool = createSlashCommandTool({
    list: () => [{ name: 'review', description: 'Reviews a change' }],
    run: async ({ name, arguments: rest }) => (name === 'review' ? `Review ${rest}.` : null),
  });

  it('runs a command with its arguments, and names the others where there is none', async () => {
    const { use } = world();
    expect(tool.definition.description).toContain('/review: Reviews a change');
    expect(await use(tool, { command: '/review 12 and 13' })).toEqual({ output: 'Review 12 and 13.', isError: false });
    expect(await use(tool, { command: 'review 1' })).toMatchObject({ output: 'Review 1.' });
    for (const command of ['/nope', '', '/'])
      expect(await use(tool, { command })).toMatchObject({
        isError: true,
        output: expect.stringContaining('Known: /review.'),
      });
  });
});

describe('a session without the ports', () => {
  it('answers a call of a tool that it does not offer with what there is', async () => {
    const { options } = makeSession([]);
    const session = createSession({
      ...options,
      journal: createMemoryJournal(),
      client: createScriptedClient([{ calls: [call('WebSearch', { query: 'x' })] }, { text: 'ok' }]),
    });
    await session.submit('go');
    expect(JSON.stringify(session.history())).toContain('Unknown tool: WebSearch. Available tools: read_file');
    await session.close();
  });
});
