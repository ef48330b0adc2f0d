import { describe, expect, it } from 'vitest';
import { fenced, shortened, toolCallOf } from './tool-call.ts';

const PATCH = (...lines: ReadonlyArray<string>): object => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

describe('a call as an editor shows it', () => {
  it.each([
    ['Read', { file_path: 'a.txt' }, 'read'],
    ['NotebookRead', { notebook_path: 'a.ipynb' }, 'read'],
    ['Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }, 'edit'],
    ['Write', { file_path: 'a.txt', content: 'x' }, 'edit'],
    ['apply_patch', PATCH('*** Add File: a.txt', '+x'), 'edit'],
    ['apply_patch', PATCH('*** Delete File: a.txt'), 'delete'],
    ['Grep', { pattern: 'x' }, 'search'],
    ['Glob', { pattern: '*' }, 'search'],
    ['LS', { path: '.' }, 'search'],
    ['Bash', { command: 'ls' }, 'execute'],
    ['exec_command', { cmd: 'ls' }, 'execute'],
    ['Task', { description: 'x', prompt: 'x', subagent_type: 'explore' }, 'think'],
    ['Skill', { skill: 'release' }, 'think'],
    ['WebFetch', { url: 'https://x.test/' }, 'fetch'],
    ['WebSearch', { query: 'x' }, 'fetch'],
    ['ExitPlanMode', { plan: 'x' }, 'switch_mode'],
    ['mcp__files__count', { n: 1 }, 'other'],
  ])('%s with %j is of the kind %s', (toolName, args, kind) => {
    expect(toolCallOf({ toolCallId: 'c1', toolName, args: { ...args } }, '/folder')).toMatchObject({
      toolCallId: 'c1',
      name: toolName,
      kind,
      rawInput: args,
    });
  });

  it('says where: the files that it names, from the root, and the line that it reads from', () => {
    const at = (toolName: string, args: object) =>
      toolCallOf({ toolCallId: 'c1', toolName, args: { ...args } }, '/folder').locations;
    expect(at('Read', { file_path: 'src/a.txt', offset: 12 })).toEqual([{ path: '/folder/src/a.txt', line: 12 }]);
    expect(at('apply_patch', PATCH('*** Add File: a', '+x', '*** Delete File: /other/b'))).toEqual([
      { path: '/folder/a' },
      { path: '/other/b' },
    ]);
    expect(at('Bash', { command: 'cat a.txt' })).toEqual([]);
  });

  it('keeps a fence around whatever it holds, and the beginning and the end of what is long', () => {
    const text = 'a ```` b\n';
    expect(fenced(text)).toMatchObject({ content: { text: '`````\na ```` b\n`````' } });
    const long = `${'a'.repeat(20_000)}${'z'.repeat(20_000)}`;
    expect(shortened(long)).toBe(`${'a'.repeat(8_000)}\n… 24000 characters …\n${'z'.repeat(8_000)}`);
  });
});
