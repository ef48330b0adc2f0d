import { describe, expect, it } from 'vitest';
import { settle } from '../test-support/session-world.ts';
import type { RegisteredTool } from '../types/index.ts';
import { makeFamilyWorld, type FamilyScript, type FamilyWorld } from './test-support/family-world.ts';
import type { Family, Seen } from './test-support/seen.ts';

/**
 * Fifteen cases, three profiles: each runs over HTTP in its family's own protocol, on a model that refuses whatever the real service
 * refuses, and asserts what that model saw.
 */
const FAMILIES: ReadonlyArray<Family> = ['openai', 'anthropic', 'gemini'];

/** Submits one input; nothing may go wrong, and every request shows exactly the tools and the one prompt of the profile. */
async function play(family: Family, script: FamilyScript): Promise<FamilyWorld & { readonly last: Seen }> {
  const world = await makeFamilyWorld(family, script);
  await world.session.submit('go');
  await settle();
  expect(world.session.error()).toBeNull();
  expect(world.simulator.failures()).toEqual([]);
  expect(world.session.state()).toBe('IDLE');
  const seen = world.seen();
  const own = world.profile.toolRegistry.definitions().map(({ name }) => name);
  for (const { tools, system } of seen) {
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
    expect(system).toContain('You are a coding agent');
  }
  expect(new Set(seen.map(({ system, tools }) => JSON.stringify([system, tools]))).size).toBe(1);
  return { ...world, last: seen.at(-1) ?? fail('the model was not asked') };
}

function fail(message: string): never {
  throw new Error(message);
}

const plainTool = (name: string, executor: RegisteredTool['executor']): RegisteredTool => ({
  definition: {
    name,
    description: 'For this test.',
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
  },
  executor,
});

const EDITOR: Readonly<Record<Family, string>> = {
  openai: 'apply_patch',
  anthropic: 'edit_file',
  gemini: 'edit_file',
};

const PATCH = `*** Begin Patch
*** Update File: list.txt
*** Move to: lists/list.txt
@@ fruit
-apple
+pear
@@ trees
-apple
+oak
*** Delete File: old.txt
*** Add File: new.txt
+new
*** End Patch`;

type NativeEdit = {
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** Every file after it; null: there is none any more. */
  readonly after: Readonly<Record<string, string | null>>;
};

/** The edit that each family is trained on, in a form that no other family has. */
const NATIVE_EDITS: Readonly<Record<Family, NativeEdit>> = {
  openai: {
    name: 'apply_patch',
    args: { patch: PATCH },
    after: { 'lists/list.txt': 'fruit\npear\ntrees\noak\n', 'list.txt': null, 'old.txt': null, 'new.txt': 'new\n' },
  },
  anthropic: {
    name: 'edit_file',
    args: { file_path: 'list.txt', old_string: 'apple\ntrees', new_string: 'pear\ntrees', replace_all: false },
    after: { 'list.txt': 'fruit\npear\ntrees\napple\n', 'old.txt': 'old\n' },
  },
  gemini: {
    name: 'edit_file',
    args: { file_path: 'list.txt', old_string: 'apple', new_string: 'pear', expected_replacements: 2 },
    after: { 'list.txt': 'fruit\npear\ntrees\npear\n', 'old.txt': 'old\n' },
  },
};

describe.each(FAMILIES)('AC 12.3: the %s profile, over HTTP', (family) => {
  it('1. creates a file', async () => {
    const { content, last } = await play(family, {
      turns: [{ toolCalls: [{ use: 'write', path: 'notes/hello.txt', content: 'hello\n' }] }, { text: 'Done.' }],
    });
    expect(content('notes/hello.txt')).toBe('hello\n');
    expect(last.users).toEqual(['go']);
    expect(last.calls).toEqual([{ name: 'write_file', args: { file_path: 'notes/hello.txt', content: 'hello\n' } }]);
    expect(last.results).toEqual([{ output: 'Wrote 6 bytes to notes/hello.txt', isError: false }]);
  });

  it('2. reads a file and edits it', async () => {
    const { content, last } = await play(family, {
      files: { 'sum.js': 'export const sum = (a, b) => a - b;\n' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'sum.js' }] },
        { expect: { toolResult: 'a - b' }, toolCalls: [{ use: 'edit', path: 'sum.js', old: SUM, new: FIXED }] },
        { text: 'Fixed.' },
      ],
    });
    expect(content('sum.js')).toBe(`${FIXED}\n`);
    expect(last.calls.map(({ name }) => name)).toEqual(['read_file', EDITOR[family]]);
    expect(last.results).toEqual([
      { output: `     1\t${SUM}`, isError: false },
      { output: expect.stringContaining('sum.js'), isError: false },
    ]);
  });

  it('3. edits several files', async () => {
    const { content, last } = await play(family, {
      files: { 'a.txt': 'one\n', 'b/b.txt': 'one\n', 'c.txt': 'one\n' },
      turns: [
        {
          toolCalls: [
            { use: 'edit', path: 'a.txt', old: 'one', new: 'two' },
            { use: 'edit', path: 'b/b.txt', old: 'one', new: 'three' },
          ],
        },
        { toolCalls: [{ use: 'edit', path: 'c.txt', old: 'one', new: 'four' }] },
        { text: 'Done.' },
      ],
    });
    expect(['a.txt', 'b/b.txt', 'c.txt'].map(content)).toEqual(['two\n', 'three\n', 'four\n']);
    expect(last.calls.map(({ name }) => name)).toEqual(Array(3).fill(EDITOR[family]));
    expect(last.results.map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  it('4. runs a command', async () => {
    const { last } = await play(family, {
      turns: [{ toolCalls: [{ use: 'shell', command: 'echo out; echo err >&2; exit 3' }] }, { text: 'I see.' }],
    });
    const [result] = last.results;
    expect(result).toEqual({ output: expect.stringMatching(/^out\n\[stderr\]\nerr\n\[exit code 3, /), isError: false });
  });

  it('5. stops a command at its timeout, the call’s own or the session’s', async () => {
    const { last } = await play(family, {
      config: { defaultCommandTimeout: 100 },
      turns: [
        { toolCalls: [{ name: 'shell', args: { command: 'echo begun; sleep 60', timeout_ms: 1_500 } }] },
        { toolCalls: [{ name: 'shell', args: { command: 'sleep 60' } }] },
        { text: 'Too slow.' },
      ],
    });
    expect(last.results).toEqual([
      { output: expect.stringMatching(/begun[^]*timed out/), isError: true },
      { output: expect.stringContaining('timed out'), isError: true },
    ]);
  });

  it('6. greps and globs', async () => {
    const { last } = await play(family, {
      files: { 'src/a.ts': 'const needle = 1;\n', 'src/b.js': 'needle\n', 'README.md': 'hay\n' },
      turns: [
        {
          toolCalls: [
            { use: 'grep', pattern: 'need.e', path: 'src', include: '*.ts' },
            { use: 'glob', pattern: 'src/*' },
          ],
        },
        { text: 'Found.' },
      ],
    });
    expect(last.calls.map(({ name }) => name)).toEqual(['grep', 'glob']);
    expect(last.results).toEqual([
      { output: expect.stringMatching(/^src\/a\.ts:1:const needle = 1;$/), isError: false },
      { output: 'src/a.ts\nsrc/b.js', isError: false },
    ]);
  });

  it('7. takes many steps, and sends what it said before unchanged', async () => {
    const { content, seen, session } = await play(family, {
      files: { 'n.txt': '1\n' },
      turns: [
        { text: 'Let me look at the number first.', toolCalls: [{ use: 'read', path: 'n.txt' }] },
        { toolCalls: [{ use: 'edit', path: 'n.txt', old: '1', new: '2' }] },
        { toolCalls: [{ use: 'shell', command: 'cat n.txt' }] },
        { expect: { toolResult: '2' }, toolCalls: [{ use: 'write', path: 'proof.txt', content: 'two\n' }] },
        { toolCalls: [{ use: 'glob', pattern: '*.txt' }] },
        { expect: { toolResult: 'proof.txt' }, text: 'Done in five steps.' },
      ],
    });
    expect([content('n.txt'), content('proof.txt')]).toEqual(['2\n', 'two\n']);
    const requests = seen();
    expect(requests.map(({ results }) => results.length)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [index, { calls, results, users }] of requests.entries()) {
      const before = requests[index - 1];
      expect(calls.slice(0, before?.calls.length ?? 0)).toEqual(before?.calls ?? []);
      expect(results.slice(0, before?.results.length ?? 0)).toEqual(before?.results ?? []);
      expect(users).toEqual(['go']);
    }
    expect(session.history().at(-1)).toMatchObject({ content: [{ kind: 'TEXT', text: 'Done in five steps.' }] });
  });

  it('8. shortens long output for the model and keeps it whole in the events', async () => {
    const { last, events } = await play(family, {
      turns: [{ toolCalls: [{ use: 'shell', command: 'seq 1 20000' }] }, { text: 'Long.' }],
    });
    const output = last.results[0]?.output ?? '';
    expect(output.length).toBeLessThan(31_000);
    expect(output.split('\n').length).toBeLessThan(300);
    expect(output).toMatch(/^1\n2\n[^]*WARNING[^]*\n20000\n\[exit code 0/);
    const end = events.find((event) => event.kind === 'TOOL_CALL_END');
    expect(end).toMatchObject({ output: expect.stringContaining('\n10000\n10001\n') });
  });

  it('9. runs calls of one turn side by side and answers them in their order', async () => {
    const over = new Map([1, 2, 3].map((n) => [n, Promise.withResolvers<void>()]));
    const passOn = plainTool('pass_on', async ({ n }) => {
      await over.get(Number(n) + 1)?.promise;
      over.get(Number(n))?.resolve();
      return `I am ${String(n)}`;
    });
    const { last, events, session } = await play(family, {
      tools: [passOn],
      turns: [{ toolCalls: [1, 2, 3].map((n) => ({ name: 'pass_on', args: { n } })) }, { text: 'All passed.' }],
    });
    const ends = events.flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event.output] : []));
    expect(ends).toEqual(['I am 3', 'I am 2', 'I am 1']);
    const inOrder = ['I am 1', 'I am 2', 'I am 3'];
    expect(session.history()[2]).toMatchObject({ results: inOrder.map((output) => ({ output })) });
    expect(last.results.map(({ output }) => output)).toEqual(inOrder);
  });

  it('10. hears what it is told while it works', async () => {
    const pause = plainTool('pause', async () => {
      world.session.steer('Use tabs, please.');
      return 'paused';
    });
    const world = await makeFamilyWorld(family, {
      tools: [pause],
      turns: [{ toolCalls: [{ name: 'pause', args: {} }] }, { expect: { lastUser: 'tabs' }, text: 'Tabs it is.' }],
    });
    await world.session.submit('go');
    expect(world.simulator.failures()).toEqual([]);
    expect(world.seen().map(({ users }) => users)).toEqual([['go'], ['go', 'Use tabs, please.']]);
    expect(world.session.history().map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool_results',
      'steering',
      'assistant',
    ]);
  });

  it('11. thinks harder from the next request on', async () => {
    const world = await makeFamilyWorld(family, {
      config: { reasoningEffort: 'low' },
      turns: [{ text: 'Easy.' }, { text: 'Hard.' }, { text: 'As you like.' }],
    });
    await world.session.submit('go');
    world.session.configure({ reasoningEffort: 'high' });
    await world.session.submit('harder');
    world.session.configure({ reasoningEffort: null });
    await world.session.submit('whatever');
    expect(world.simulator.failures()).toEqual([]);
    const efforts = family === 'openai' ? ['low', 'high', undefined] : [1_024, 16_384, undefined];
    expect(world.seen().map(({ effort }) => effort)).toEqual(efforts);
  });

  it('12. hands a part of the work to another agent', async () => {
    const world = await makeFamilyWorld(family, {
      files: { 'a.txt': 'one two three\n' },
      conversations: [
        {
          name: 'child',
          match: { firstUser: { equals: 'Count the words in a.txt.' } },
          turns: [
            { toolCalls: [{ use: 'read', path: 'a.txt' }] },
            { expect: { toolResult: 'one two three' }, text: 'There are 3.' },
          ],
        },
        {
          name: 'parent',
          turns: [
            { toolCalls: [{ name: 'spawn_agent', args: { id: 'counter', instruction: 'Count the words in a.txt.' } }] },
            { toolCalls: [{ name: 'wait', args: { id: 'counter' } }] },
            { expect: { toolResult: 'There are 3.' }, text: 'Three words.' },
          ],
        },
      ],
    });
    await world.session.submit('go');
    await settle();
    expect(world.session.error()).toBeNull();
    expect(world.simulator.failures()).toEqual([]);
    const child = world.seen('child');
    expect(child).toHaveLength(2);
    for (const { users } of child) expect(users).toEqual(['Count the words in a.txt.']);
    const [parent] = world.seen('parent').slice(-1);
    expect(parent?.users).toEqual(['go']);
    expect(parent?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(SUBAGENT_TOOLS));
    expect(parent?.system).toContain('- spawn_agent: ');
    expect(child[0]?.system).not.toContain('spawn_agent');
    expect(parent?.results.at(-1)).toEqual({
      output: JSON.stringify({ output: 'There are 3.', success: true, turnsUsed: 1 }),
      isError: false,
    });
    const nested = world.events.flatMap((event) => (event.kind === 'SUBAGENT_EVENT' ? [event] : []));
    expect(new Set(nested.map(({ subagentId }) => subagentId))).toEqual(new Set(['counter']));
    expect(nested.map(({ event }) => event.kind)).toEqual(expect.arrayContaining(['SESSION_START', 'SESSION_END']));
  });

  it('13. is warned when it goes in circles', async () => {
    const { last, events } = await play(family, {
      files: { 'a.txt': 'x' },
      turns: [
        ...Array.from({ length: 5 }, () => ({ toolCalls: [{ use: 'read' as const, path: 'a.txt' }] })),
        { expect: { lastUser: 'repeating' }, text: 'Another way, then.' },
      ],
    });
    const warning = events.find((event) => event.kind === 'LOOP_DETECTION');
    expect(last.users).toEqual(['go', warning?.message]);
    expect(last.results).toHaveLength(5);
  });

  it('14. recovers from its own errors, and from the service’s', async () => {
    const { content, last, simulator } = await play(family, {
      files: { 'right.txt': 'one\n' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'wrong.txt' }] },
        {
          toolCalls: [{ use: 'edit', path: 'right.txt', old: 'no such line', new: 'two' }],
          fault: { kind: 'overloaded', at: 'status' },
        },
        { toolCalls: [{ name: 'no_such_tool', args: {} }] },
        { toolCalls: [{ name: 'shell', args: { cmd: 'ls' } }] },
        { toolCalls: [{ use: 'edit', path: 'right.txt', old: 'one', new: 'two' }] },
        { text: 'Now it is right.' },
      ],
    });
    expect(content('right.txt')).toBe('two\n');
    expect(last.results.map(({ isError }) => isError)).toEqual([true, true, true, true, false]);
    expect(last.results.map(({ output }) => output)).toEqual([
      expect.stringContaining('wrong.txt does not exist'),
      expect.stringContaining('right.txt'),
      expect.stringContaining('Unknown tool: no_such_tool. Available tools: read_file'),
      expect.stringContaining('Invalid arguments for shell'),
      expect.stringContaining('right.txt'),
    ]);
    expect(simulator.requests().filter(({ status }) => status !== 200)).toHaveLength(1);
  });

  it('15. edits in the format of its family', async () => {
    const { name, args, after } = NATIVE_EDITS[family];
    const { content, last } = await play(family, {
      files: { 'list.txt': 'fruit\napple\ntrees\napple\n', 'old.txt': 'old\n' },
      turns: [{ toolCalls: [{ use: 'read', path: 'list.txt' }] }, { toolCalls: [{ name, args }] }, { text: 'Done.' }],
    });
    for (const [file, text] of Object.entries(after)) {
      if (text === null) expect(() => content(file)).toThrow('ENOENT');
      else expect(content(file)).toBe(text);
    }
    expect(last.calls[1]).toEqual({ name, args });
    expect(last.results[1]).toMatchObject({ isError: false });
    const shown = last.tools.find((tool) => tool.name === name);
    expect(shown?.parameters).toEqual(expect.arrayContaining(Object.keys(args)));
  });
});

const SUBAGENT_TOOLS = ['spawn_agent', 'send_input', 'wait', 'close_agent'];
const SUM = 'export const sum = (a, b) => a - b;';
const FIXED = 'export const sum = (a, b) => a + b;';
