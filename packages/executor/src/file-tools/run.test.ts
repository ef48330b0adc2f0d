import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FILE_TOOLS, publicName, wireName } from './definitions.ts';
import { runFileTool } from './run.ts';

type World = {
  readonly file: (name: string) => string;
  readonly run: (name: string, input: object) => Promise<Record<string, unknown>>;
};

function makeWorld(files: Readonly<Record<string, string>>): World {
  const root = mkdtempSync(path.join(tmpdir(), 'file-tools-run-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  const environment = createLocalExecutionEnvironment(root);
  return {
    file: (name) => readFileSync(path.join(root, name), 'utf8'),
    run: async (name, input) => JSON.parse((await runFileTool({ name, input: { ...input } }, environment)).output),
  };
}

describe('the six file tools', () => {
  it('have the agreed names, arguments and required arguments', () => {
    const shape = FILE_TOOLS.map(({ name, parameters }) => [
      name,
      Object.keys(parameters['properties'] as object),
      parameters['required'] ?? [],
    ]);
    expect(shape).toEqual([
      ['file.read', ['path', 'offset', 'limit'], ['path']],
      ['file.write', ['path', 'content'], ['path', 'content']],
      ['file.patch', ['path', 'patches'], ['path', 'patches']],
      ['file.delete', ['path'], ['path']],
      ['file.list', ['path', 'pattern'], []],
      ['file.search', ['pattern', 'path', 'glob', 'caseSensitive', 'contextLines', 'maxResults'], ['pattern']],
    ]);
  });

  it('have a name on the wire that every provider takes, and back', () => {
    for (const { name } of FILE_TOOLS) {
      expect(wireName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect([publicName(name), publicName(wireName(name))]).toEqual([name, name]);
    }
    expect(publicName('file.fly')).toBeNull();
  });

  it('read numbers the lines, counts all of them and says when some are left out', async () => {
    const { run } = makeWorld({
      a: 'one\ntwo\nthree\n',
      empty: '',
      long: 'x\n'.repeat(5_000),
      wide: `${'y'.repeat(900)}\n`.repeat(100),
    });
    expect(await run('file.read', { path: 'a' })).toEqual({
      content: '     1\tone\n     2\ttwo\n     3\tthree',
      total_lines: 3,
      truncated: false,
    });
    expect(await run('file.read', { path: 'a', offset: 1, limit: 1 })).toEqual({
      content: '     2\ttwo',
      total_lines: 3,
      truncated: true,
    });
    expect(await run('file.read', { path: 'empty' })).toEqual({ content: '', total_lines: 0, truncated: false });
    expect(await run('file.read', { path: 'long' })).toMatchObject({ total_lines: 5_000, truncated: true });
    const wide = await run('file.read', { path: 'wide' });
    expect(wide).toMatchObject({ total_lines: 100, truncated: true });
    expect(
      String(wide['content'])
        .split('\n')
        .every((line) => line.length === 907),
    ).toBe(true);
    expect(await run('file.read', { path: 'a', offset: 9 })).toMatchObject({ error: 'out_of_range' });
  });

  it('patch applies all patches or none, and each find must be unique', async () => {
    const { run, file } = makeWorld({ a: 'x = 1;\ny = 1;\nx = 2;\n' });
    const patch = (...patches: ReadonlyArray<object>) => run('file.patch', { path: 'a', patches });
    expect(await patch({ find: 'y = 1', replace: 'y = 3' }, { find: 'gone', replace: '' })).toMatchObject({
      error: 'find_not_found',
    });
    expect(await patch({ find: 'x =', replace: 'z =' })).toMatchObject({ error: 'find_not_unique' });
    expect(file('a')).toBe('x = 1;\ny = 1;\nx = 2;\n');
    expect(await patch({ find: 'y = 1', replace: 'y = 3' }, { find: 'y = 3', replace: 'y = 4' })).toEqual({
      success: true,
      patches_applied: 2,
    });
    expect(await patch({ find: 'x =', replace: 'z =', startLine: 2 })).toEqual({ success: true, patches_applied: 1 });
    expect(file('a')).toBe('x = 1;\ny = 4;\nz = 2;\n');
    expect(await patch({ find: ' = ', replace: ': ', startLine: 2 })).toEqual({ success: true, patches_applied: 1 });
    expect(file('a')).toBe('x = 1;\ny: 4;\nz = 2;\n');
    expect(await patch({ find: 'x', replace: 'w', startLine: 99 })).toMatchObject({ error: 'find_not_found' });
    expect(await patch({ find: '', replace: 'w' })).toMatchObject({ error: 'invalid_arguments' });
  });

  it('patch says why not in its own words, and shows the file as it is', async () => {
    const { run } = makeWorld({ a: 'if (old_string) {\n\tnew_string();\n}\nx\nx\n' });
    const message = async (find: string, replace: string) =>
      (await run('file.patch', { path: 'a', patches: [{ find, replace }] })) as unknown;
    expect(await message('', 'w')).toEqual({
      error: 'invalid_arguments',
      message: 'Nothing was changed: patches[0] of a: find is empty; use file.write for a new file.',
    });
    expect(await message('x', 'x')).toEqual({
      error: 'find_not_found',
      message: 'Nothing was changed: patches[0] of a: find and replace are the same.',
    });
    expect(await message('x\n', 'y\n')).toEqual({
      error: 'find_not_unique',
      message:
        'Nothing was changed: patches[0] of a: find occurs 2 times (lines 4, 5). Add lines around it to make it unique, or say where with startLine.',
    });
    expect(await message('if (old_string) {\n\tnew_strings();', 'w')).toEqual({
      error: 'find_not_found',
      message: expect.stringMatching(/: find was not found\. [^]*if \(old_string\) \{\n[^]*new_string\(\);/),
    });
  });

  it('search tells where, with context and a limit, also in files whose names look like places', async () => {
    const { run } = makeWorld({ 'a.txt': 'one\ntwo\nthree\n', 'b:7:c.txt': 'two\n' });
    expect(await run('file.search', { pattern: 'two', contextLines: 1 })).toEqual({
      matches: [
        { path: 'a.txt', line: 2, content: 'two', before: ['one'], after: ['three'] },
        { path: 'b:7:c.txt', line: 1, content: 'two', before: [], after: [] },
      ],
      truncated: false,
    });
    expect(await run('file.search', { pattern: 't', maxResults: 1 })).toMatchObject({
      truncated: true,
      matches: [{ line: 2 }],
    });
    expect(await run('file.search', { pattern: 'TWO' })).toEqual({ matches: [], truncated: false });
    expect(await run('file.search', { pattern: 'TWO', caseSensitive: false, glob: 'a.*' })).toMatchObject({
      matches: [{ path: 'a.txt' }],
    });
  });

  it('what is written is read back byte for byte', async () => {
    const { run, file } = makeWorld({});
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (content) => {
        expect(await run('file.write', { path: 'a', content })).toEqual({
          success: true,
          bytes_written: Buffer.byteLength(content),
        });
        expect(file('a')).toBe(content);
      }),
      { numRuns: 20 },
    );
  });

  it('answer whatever they are called with, and never throw', async () => {
    const { run } = makeWorld({ a: 'a\n' });
    const names = fc.constantFrom(...FILE_TOOLS.map(({ name }) => name), 'file.fly', '');
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.dictionary(fc.constantFrom('path', 'pattern', 'patches', 'offset', 'glob', '__proto__'), fc.jsonValue()),
        async (name, input) => {
          expect(await run(name, input)).toBeTypeOf('object');
        },
      ),
      { numRuns: 60 },
    );
  });
});
