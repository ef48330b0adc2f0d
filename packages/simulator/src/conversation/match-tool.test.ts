import { describe, expect, it } from 'vitest';
import { matchTool } from './match-tool.ts';

const tool = (name: string, ...parameters: string[]) => ({
  name,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
  },
});

const READ = { use: 'read', path: 'a.ts', limit: 5 } as const;
const EDIT = { use: 'edit', path: 'a.ts', old: 'x', new: 'y' } as const;
const SHELL = { use: 'shell', command: 'ls' } as const;

describe('an abstract call', () => {
  it.each([
    [READ, tool('read_file', 'file_path', 'offset', 'limit'), { file_path: 'a.ts', limit: 5 }],
    [READ, tool('Read', 'file_path'), { file_path: 'a.ts' }],
    [READ, tool('read_file', 'path'), { path: 'a.ts' }],
    [READ, tool('file.read', 'path'), { path: 'a.ts' }],
    [
      EDIT,
      tool('edit_file', 'file_path', 'old_string', 'new_string'),
      { file_path: 'a.ts', old_string: 'x', new_string: 'y' },
    ],
    [
      EDIT,
      tool('Edit', 'file_path', 'old_string', 'new_string'),
      { file_path: 'a.ts', old_string: 'x', new_string: 'y' },
    ],
    [EDIT, tool('str_replace', 'path', 'old_str', 'new_str'), { path: 'a.ts', old_str: 'x', new_str: 'y' }],
    [EDIT, tool('file.patch', 'path', 'patches'), { path: 'a.ts', patches: [{ find: 'x', replace: 'y' }] }],
    [
      { use: 'write', path: 'a', content: 'c' } as const,
      tool('write_file', 'file_path', 'content'),
      { file_path: 'a', content: 'c' },
    ],
    [SHELL, tool('shell', 'command'), { command: 'ls' }],
    [SHELL, tool('Bash', 'command', 'description'), { command: 'ls' }],
    [SHELL, tool('run_shell_command', 'command'), { command: 'ls' }],
    [SHELL, tool('exec_command', 'cmd'), { cmd: 'ls' }],
    [{ use: 'grep', pattern: 'p', path: 'd' } as const, tool('Grep', 'pattern', 'path'), { pattern: 'p', path: 'd' }],
    [{ use: 'glob', pattern: '*.ts' } as const, tool('glob', 'pattern'), { pattern: '*.ts' }],
    [{ use: 'list', path: 'd' } as const, tool('list_dir', 'path'), { path: 'd' }],
    [{ use: 'patch', patch: 'p' } as const, tool('apply_patch', 'patch'), { patch: 'p' }],
    [{ use: 'patch', patch: 'p' } as const, tool('apply_patch', 'input'), { input: 'p' }],
  ])('%o goes to %o', (call, declared, args) => {
    expect(matchTool(call, [tool('other', 'x'), declared])).toEqual({ name: declared.name, args });
  });

  it('becomes an argument vector where the shell wants one', () => {
    const vector = { name: 'shell', parameters: { type: 'object', properties: { command: { type: 'array' } } } };
    expect(matchTool(SHELL, [vector])?.args).toEqual({ command: ['bash', '-lc', 'ls'] });
  });

  it('becomes a patch where that is the only way to edit or write', () => {
    const patch = tool('apply_patch', 'patch');
    expect(matchTool(EDIT, [patch])?.args['patch']).toBe(
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n',
    );
    expect(matchTool({ use: 'write', path: 'n', content: 'a\nb\n' }, [patch])?.args['patch']).toBe(
      '*** Begin Patch\n*** Add File: n\n+a\n+b\n*** End Patch\n',
    );
  });

  it('becomes a command where there is only a shell', () => {
    const shell = tool('shell', 'command');
    expect(matchTool({ use: 'read', path: "it's" }, [shell])?.args['command']).toBe(String.raw`cat 'it'\''s'`);
    expect(matchTool({ use: 'list', path: '.' }, [shell])?.args['command']).toBe("ls -a '.'");
    expect(matchTool({ use: 'glob', pattern: '**/*.ts' }, [shell])?.args['command']).toContain('find');
  });

  it('is nothing where no tool can do it', () => {
    expect(matchTool(EDIT, [tool('shell', 'command')])).toBeUndefined();
  });
});
