import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import type { RegisteredTool } from '../types/index.ts';
import { eitherCase } from './either-case.ts';
import { showAs } from './surface.ts';

const TOOL: RegisteredTool = {
  definition: {
    name: 'copy',
    description: 'Copies.',
    parameters: {
      type: 'object',
      properties: { from: { type: 'string', description: 'Source.' }, count: { type: 'integer', minimum: 0 } },
      required: ['from'],
      additionalProperties: false,
    },
  },
  executor: async (args) => JSON.stringify(args),
  serial: true,
};

describe('a surface', () => {
  it('renames, lays over the schema, leaves out, and keeps all else of the tool', () => {
    const shown = showAs(TOOL, {
      name: 'duplicate',
      parameters: { source: { is: 'from', schema: { description: 'Where from.' } } },
    });
    expect(shown.definition).toEqual({
      name: 'duplicate',
      description: 'Copies.',
      parameters: {
        type: 'object',
        properties: { source: { type: 'string', description: 'Where from.' } },
        required: ['source'],
        additionalProperties: false,
      },
    });
    expect(shown.serial).toBe(true);
    expect(TOOL.definition.name).toBe('copy');
  });

  it('gives the tool its own names and values, and nothing that it does not list', async () => {
    const shown = showAs(TOOL, {
      parameters: {
        source: { is: 'from' },
        times: { is: 'count', convert: (value) => (typeof value === 'number' ? value - 1 : undefined) },
      },
    });
    const env = createLocalExecutionEnvironment(makeFolder());
    expect(await shown.executor({ source: 'a', times: 3, other: 1 }, env)).toBe('{"from":"a","count":2}');
    expect(await shown.executor({ source: 'a' }, env)).toBe('{"from":"a"}');
  });

  it('that refuses runs nothing', async () => {
    const refusal = { output: 'no', isError: true };
    const shown = showAs(TOOL, { parameters: { from: {} }, check: async () => refusal });
    expect(await shown.executor({ from: 'a' }, createLocalExecutionEnvironment(makeFolder()))).toBe(refusal);
  });
});

describe('a pattern for either case', () => {
  it.each([
    ['*.ts', '*.[tT][sS]'],
    ['a/{b,c}?', '[aA]/{[bB],[cC]}?'],
    ['[a-c]1', '[a-cA-C]1'],
    ['[!x]', '[!xX]'],
    ['\\a*', '\\a*'],
    ['node_modules/**', 'node_modules/**'],
    ['ß', 'ß'],
  ])('%s becomes %s', (pattern, both) => {
    expect(eitherCase(pattern)).toBe(both);
  });

  it('finds a file by its name in any case', async () => {
    const env = createLocalExecutionEnvironment(makeFolder({ 'Deep/Folder-1/READ me.Md': '' }));
    for (const pattern of ['deep/folder-1/read ME.md', 'DEEP/**/*.mD', '**/[r]ead*'])
      expect(await env.glob(eitherCase(pattern), '.')).toEqual(['Deep/Folder-1/READ me.Md']);
  });
});
