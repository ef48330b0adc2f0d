import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, property, string, constantFrom, tuple, array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { createToolRegistry, type RegisteredTool } from '../types/index.ts';
import { dispatchToolCalls } from './dispatch.ts';
import { createEditFileTool } from './edit-file.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { planEdit } from '@attractor/patch';
import { createReadFileTool } from './read-file.ts';
import { createShellTool } from './shell.ts';
import { createWriteFileTool } from './write-file.ts';

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const use = async (tool: RegisteredTool, args: Record<string, unknown>) => {
    const [result] = await dispatchToolCalls(
      [{ toolCallId: '1', toolName: tool.definition.name, args }],
      createToolRegistry([tool]),
      env,
      false,
    );
    return result ?? { output: '', isError: true };
  };
  const content = (name: string): string => readFileSync(path.join(root, name), 'utf8');
  return { root, env, use, content };
};

describe('read_file', () => {
  it('passes offset and limit on, converted from the base that its schema names', async () => {
    const { use } = world({ 'a.txt': 'one\ntwo\nthree\n' });
    expect((await use(createReadFileTool(), { file_path: 'a.txt', offset: 1, limit: 1 })).output).toBe('     2\ttwo');
    expect((await use(createReadFileTool({ offsetBase: 1 }), { file_path: 'a.txt', offset: 1, limit: 1 })).output).toBe(
      '     1\tone',
    );
  });

  it('answers a missing file with an error result', async () => {
    const { use } = world();
    expect(await use(createReadFileTool(), { file_path: 'gone' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('does not exist'),
    });
  });
});

describe('write_file', () => {
  it('writes, makes folders and confirms with bytes and path', async () => {
    const { use, content } = world();
    expect(await use(createWriteFileTool(), { file_path: 'a/b.txt', content: 'größe' })).toMatchObject({
      isError: false,
      output: 'Wrote 7 bytes to a/b.txt',
    });
    expect(content('a/b.txt')).toBe('größe');
  });

  it('does not overwrite what changed since the model saw it', async () => {
    const { root, use, content } = world({ 'a.txt': 'one' });
    await use(createReadFileTool(), { file_path: 'a.txt' });
    writeFileSync(path.join(root, 'a.txt'), 'somebody else');
    expect(await use(createWriteFileTool(), { file_path: 'a.txt', content: 'mine' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('changed since it was read'),
    });
    expect(content('a.txt')).toBe('somebody else');
  });
});

describe('edit_file', () => {
  const edit = (old_string: string, new_string: string, more: Record<string, unknown> = {}) => ({
    file_path: 'a.txt',
    old_string,
    new_string,
    ...more,
  });

  it('replaces a unique text and shows what changed, on the real environment', async () => {
    const { root, use, content } = world({ 'a.txt': 'one\ntwo\nthree\n' });
    chmodSync(path.join(root, 'a.txt'), 0o755);
    const result = await use(createEditFileTool(), edit('two', 'TWO\n2'));
    expect(result).toEqual({
      toolCallId: '1',
      isError: false,
      output: 'Edited a.txt: 1 replacement at line 2.\n-two\n+TWO\n+2',
    });
    expect(content('a.txt')).toBe('one\nTWO\n2\nthree\n');
    expect(statSync(path.join(root, 'a.txt')).mode & 0o777).toBe(0o755);
  });

  it('refuses an ambiguous text and names the lines, unless all are meant', async () => {
    const { use, content } = world({ 'a.txt': 'x\ny\nx\n' });
    expect(await use(createEditFileTool(), edit('x', 'z'))).toMatchObject({
      isError: true,
      output: expect.stringContaining('occurs 2 times (lines 1, 3)'),
    });
    expect(await use(createEditFileTool(), edit('x', '$&', { replace_all: true }))).toMatchObject({ isError: false });
    expect(content('a.txt')).toBe('$&\ny\n$&\n');
  });

  it.each([
    ['part of a line, spaced otherwise', 'if (x) { go(); }', '(x)  {  go', 'closest text is at line 1'],
    ['line numbers', 'one', '     1\tone', 'line numbers'],
    ['nothing alike', 'one', 'zzz', 'No similar text'],
  ])('says why a text was not found: %s', async (_, content, wanted, hint) => {
    const { use } = world({ 'a.txt': content });
    expect(await use(createEditFileTool(), edit(wanted, 'new'))).toMatchObject({
      isError: true,
      output: expect.stringContaining(hint),
    });
  });

  it('refuses an empty or unchanged text and a missing file', async () => {
    const { use } = world({ 'a.txt': 'x' });
    expect((await use(createEditFileTool(), edit('', 'x'))).isError).toBe(true);
    expect((await use(createEditFileTool(), edit('x', 'x'))).isError).toBe(true);
    expect((await use(createEditFileTool(), { ...edit('x', 'y'), file_path: 'gone' })).isError).toBe(true);
  });

  it('keeps CRLF lines, byte order mark and a missing final newline', async () => {
    const { use, content } = world({ 'a.txt': '\ufeffone\r\ntwo\r\nthree' });
    await use(createEditFileTool(), edit('one\ntwo', 'one\n1.5\ntwo'));
    expect(content('a.txt')).toBe('\ufeffone\r\n1.5\r\ntwo\r\nthree');
  });

  it('refuses when the file changed since it was read, and goes on after another read', async () => {
    const { root, use, content } = world({ 'a.txt': 'one\n' });
    await use(createReadFileTool(), { file_path: 'a.txt' });
    writeFileSync(path.join(root, 'a.txt'), 'one\nmore\n');
    expect(await use(createEditFileTool(), edit('one', 'two'))).toMatchObject({
      isError: true,
      output: expect.stringContaining('changed since'),
    });
    await use(createReadFileTool(), { file_path: 'a.txt' });
    expect((await use(createEditFileTool(), edit('one', 'two'))).isError).toBe(false);
    expect((await use(createEditFileTool(), edit('two', 'three'))).isError).toBe(false);
    expect(content('a.txt')).toBe('three\nmore\n');
  });

  it('changes nothing outside the replaced text', () => {
    const piece = string({ unit: constantFrom('a', 'b', '\n', '\r\n', ' ', 'é', '\ufeff') });
    assert(
      property(tuple(piece, piece, piece), array(piece, { maxLength: 3 }), ([before, wanted, after], more) => {
        const content = before + wanted + after;
        const edit = planEdit(content, { oldText: wanted, newText: `NEW${more.join('')}`, count: 1 });
        if (edit.ok) expect(everyReplacement(content, edit.oldText, edit.newText)).toContain(edit.content);
        else expect(edit.reason).not.toBe('');
      }),
    );
  });
});

/** What the content would be with one occurrence replaced, for each of them. */
function everyReplacement(content: string, oldText: string, newText: string): ReadonlyArray<string> {
  return Array.from(content, (_, at) => at)
    .filter((at) => content.startsWith(oldText, at))
    .map((at) => content.slice(0, at) + newText + content.slice(at + oldText.length));
}

describe('shell', () => {
  it('shows output, exit code and duration, and runs where it is told', async () => {
    const { use } = world({ 'sub/x': '' });
    const result = await use(createShellTool(), { command: 'echo hi; echo oops >&2; exit 2', working_dir: 'sub' });
    expect(result.output).toMatch(/^hi\n\[stderr\]\noops\n\[exit code 2, \d+ ms\]$/);
    expect(result.isError).toBe(false);
  });

  it('warns when the command took too long', async () => {
    const { use } = world();
    const result = await use(createShellTool(), { command: 'echo before; sleep 30', timeout_ms: 100 });
    expect(result).toMatchObject({ isError: true, output: expect.stringMatching(/^before\n[\s\S]*timed out/) });
  });

  it('takes the timeout of the session, then its own, when the call names none', async () => {
    const { env } = world();
    const shell = createShellTool({ defaultTimeoutMs: 60_000 });
    const answer = await shell.executor({ command: 'sleep 30' }, env, { toolCallId: '1', commandTimeoutMs: 100 });
    expect(answer).toMatchObject({ isError: true });
    expect(await createShellTool({ defaultTimeoutMs: 100 }).executor({ command: 'sleep 30' }, env)).toMatchObject({
      isError: true,
    });
  });

  it('drops what could steer a terminal', async () => {
    const { use } = world();
    const result = await use(createShellTool(), {
      command: String.raw`printf '\e[31mred\e[0m \e]0;title\a\x9bok\x00 10%%\r100%%\n'`,
    });
    expect(result.output).toMatch(/^red .*ok\n 10%\n100%\n/);
    expect(result.output).not.toContain('\u001b');
  });
});

describe('grep and glob', () => {
  it('search the working directory, and say when nothing was found', async () => {
    const { use } = world({ 'src/a.ts': 'const x = 1;\n', 'b.md': 'x' });
    expect((await use(createGrepTool(), { pattern: 'X', case_sensitive: false, include: '*.ts' })).output).toBe(
      'src/a.ts:1:const x = 1;',
    );
    expect((await use(createGrepTool(), { pattern: 'nothing' })).output).toBe('No matches found.');
    expect((await use(createGlobTool(), { pattern: '**/*.{ts,md}' })).output).toBe('b.md\nsrc/a.ts');
    expect((await use(createGlobTool(), { pattern: '*.zip', path: 'src' })).output).toBe('No files found.');
    expect((await use(createGrepTool(), { pattern: '(' })).isError).toBe(true);
  });
});
