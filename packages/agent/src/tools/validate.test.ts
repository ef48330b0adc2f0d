import { describe, expect, it } from 'vitest';
import { createApplyPatchTool } from './apply-patch.ts';
import { createEditFileTool } from './edit-file.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { createListDirTool } from './list-dir.ts';
import { createReadFileTool } from './read-file.ts';
import { createShellTool } from './shell.ts';
import { validateArguments } from './validate.ts';
import { createWriteFileTool } from './write-file.ts';

const TOOLS = [
  createReadFileTool(),
  createWriteFileTool(),
  createEditFileTool(),
  createApplyPatchTool(),
  createShellTool(),
  createGrepTool(),
  createGlobTool(),
  createListDirTool(),
];

describe('arguments of the tools', () => {
  it.each(TOOLS.map((tool) => [tool.definition.name, tool] as const))(
    '%s says what is missing and what is unknown',
    async (_, tool) => {
      const required = tool.definition.parameters['required'];
      expect(required).toEqual(expect.arrayContaining([expect.any(String)]));
      const missing = await validateArguments(tool.definition, {});
      for (const name of Array.isArray(required) ? required : []) expect(missing.join()).toContain(String(name));
      const unknown = await validateArguments(tool.definition, { nonsense: 1 });
      expect(unknown).toContain('#/nonsense: there is no such argument.');
      expect(unknown.join()).not.toContain('schema');
    },
  );

  it.each([
    [createReadFileTool(), { file_path: 'a', offset: 0 }, true],
    [createReadFileTool(), { file_path: 'a', offset: -1 }, false],
    [createReadFileTool({ offsetBase: 1 }), { file_path: 'a', offset: 0 }, false],
    [createReadFileTool(), { file_path: 'a', limit: 0 }, false],
    [createReadFileTool(), { file_path: 'a', limit: '5' }, false],
    [createShellTool(), { command: 'ls', timeout_ms: 0 }, false],
    [createShellTool(), { command: 'ls', timeout_ms: 1e9 }, true],
    [createShellTool(), { command: ['ls'] }, false],
    [createGrepTool(), { pattern: 'x', context_lines: 51 }, false],
    [createListDirTool(), { path: '.', ignore: 'x' }, false],
    [createListDirTool(), { path: '.', ignore: ['x'], respect_git_ignore: false }, true],
    [createEditFileTool(), { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'yes' }, false],
  ])('%#: only what fits the schema passes', async ({ definition }, args, fits) => {
    expect((await validateArguments(definition, args)).length === 0).toBe(fits);
  });

  it('says where, in words, and not everything at once', async () => {
    const definition = {
      name: 'many',
      description: '',
      parameters: { type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } } },
    };
    const wrong = await validateArguments(definition, { list: Array.from({ length: 100 }, () => 'x') });
    expect(wrong.length).toBeLessThanOrEqual(5);
    expect(wrong[0]).toContain('#/list/0');
    const closed = { ...definition, parameters: { ...definition.parameters, additionalProperties: false } };
    expect(await validateArguments(closed, { lsit: [] })).toEqual(['#/lsit: there is no such argument.']);
  });
});
