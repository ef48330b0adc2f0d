import { spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import type { ToolResult } from '../types/index.ts';
import { createEditFileTool, editFileExecutor } from './edit-file.ts';
import { planEdit } from '@attractor/patch';
import { readFileExecutor } from './read-file.ts';
import { writeFileExecutor } from './write-file.ts';

const plan = (content: string, oldText: string, newText: string, count: number | 'all' = 1) =>
  planEdit(content, { oldText, newText, count });

const asResult = (answer: string | ToolResult): ToolResult =>
  typeof answer === 'string' ? { output: answer, isError: false } : answer;

const world = (content: string) => {
  const root = makeFolder({ 'a.txt': content });
  const env = createLocalExecutionEnvironment(root);
  const edit = async (old_string: string, new_string: string, more: Record<string, unknown> = {}) =>
    asResult(await editFileExecutor({ file_path: 'a.txt', old_string, new_string, ...more }, env));
  return {
    root,
    env,
    edit,
    content: () => readFileSync(path.join(root, 'a.txt'), 'utf8'),
    file: path.join(root, 'a.txt'),
  };
};

describe('what an edit finds when the text does not stand there exactly', () => {
  it.each([
    ['line ends', 'a\r\nb\r\nc\r\n', 'a\nb', 'A\nB', 'A\r\nB\r\nc\r\n'],
    ['line ends', 'a\nb\r\nc\n', 'a\nb\nc', 'a\nx\nc', 'a\nx\nc\n'],
    ['line ends', 'one\rtwo\r', 'one\ntwo', 'one\n1.5\ntwo', 'one\r1.5\rtwo\r'],
    ['trailing white space', 'a  \nb\nc\n', 'a\nb\n', 'a\nx\n', 'a  \nx\nc\n'],
    [
      'white space',
      'if x:\n\tgo()\n\tstop()\n',
      'if x:\n  go()\n',
      'if x:\n  run()\n  go()\n',
      'if x:\n\trun()\n\tgo()\n\tstop()\n',
    ],
    [
      'white space',
      '    a = 1\n    b = 2\n',
      'a = 1\nb = 2',
      'a = 1\nif a:\n    b = 3',
      '    a = 1\n    if a:\n        b = 3\n',
    ],
    ['white space', 'f( a,  b )\n', 'f( a, b )', 'g()', 'g()\n'],
    [
      'punctuation',
      'it\u2019s \u201cfine\u201d\u00a0\u2014 ok',
      'it\'s "fine" - ok',
      'it\'s "good" - ok',
      'it\u2019s \u201cgood\u201d\u00a0\u2014 ok',
    ],
    [
      'white space and punctuation',
      '\tsay(\u201chi\u201d)\n\tnext\n',
      'say("hi")\nnext',
      'say("hi")\nlast',
      '\tsay(\u201chi\u201d)\n\tlast\n',
    ],
  ])('overlooks %s, and says so', (overlooked, content, oldText, newText, expected) => {
    expect(plan(content, oldText, newText)).toMatchObject({ ok: true, content: expected, overlooked });
  });

  it('prefers the exact place to others that are merely alike', () => {
    expect(plan('  x\nx\n\tx\n', '\nx\n', '\ny\n')).toMatchObject({
      ok: true,
      content: '  x\ny\n\tx\n',
      overlooked: null,
    });
  });

  it('tells the model, and shows the file\u2019s own text', async () => {
    const { edit, content } = world('if x:\n\tgo()\n');
    expect(await edit('if x:\n    go()', 'if x:\n    stop()')).toEqual({
      isError: false,
      output:
        'Edited a.txt: 1 replacement at line 1. old_string was found not counting differences in white space.\n-if x:\n-\tgo()\n+if x:\n+\tstop()',
    });
    expect(content()).toBe('if x:\n\tstop()\n');
  });

  it.each([
    ['two places that are exact', 'x\ny\nx\n', 'x', 'occurs 2 times (lines 1, 3)'],
    [
      'two places but for white space',
      '  x = 1\n\tx = 1\n',
      'x  = 1',
      'occurs 2 times, not counting differences in white space',
    ],
    [
      'two places but for punctuation',
      'a \u2013 b\na \u2014 b\n',
      'a - b',
      'occurs 2 times, not counting differences in punctuation',
    ],
    ['places that overlap', 'aaa', 'aa', 'overlap each other'],
    ['indentation that can mean two things', '  a\n\tb\n', 'a\nb', 'not clear how new_string is to be indented'],
  ])('never guesses between %s', (_, content, oldText, reason) => {
    expect(plan(content, oldText, `${oldText} new`)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it('replaces all that are meant, and only when there are as many as expected', () => {
    expect(plan('x\ny\nx\n', 'x', 'z', 'all')).toMatchObject({ ok: true, content: 'z\ny\nz\n', lines: [1, 3] });
    expect(plan('x\ny\nx\n', 'x', 'z', 2)).toMatchObject({ ok: true, content: 'z\ny\nz\n' });
    expect(plan('x\ny\nx\n', 'x', 'z', 3)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('3 were expected'),
    });
  });

  it.each([
    ['a byte order mark', '\ufeffone\ntwo\n', 'one', '\ufeff1\ntwo\n'],
    ['no final newline', 'two\none', 'one', 'two\n1'],
    ['CRLF', 'one\r\ntwo\r\n', 'one', '1\r\ntwo\r\n'],
    ['mixed line ends', 'two\none\r\nthree\n', 'one', 'two\n1\r\nthree\n'],
  ])('leaves %s alone', (_, content, oldText, expected) => {
    expect(plan(content, oldText, '1')).toMatchObject({ ok: true, content: expected });
  });

  it('gives new lines the ends of the place where they stand', () => {
    expect(plan('a\nb\r\nc\n', 'b', 'b\nx')).toMatchObject({ ok: true, content: 'a\nb\r\nx\r\nc\n' });
    expect(plan('a\r\nb', 'b', 'b\nx')).toMatchObject({ ok: true, content: 'a\r\nb\r\nx' });
    expect(plan('a\r\nb\r\n', 'b', 'b\r\nx')).toMatchObject({ ok: true, content: 'a\r\nb\r\nx\r\n' });
  });

  it('never takes a line end apart', () => {
    expect(plan('a\r\nb\r\n', '\nb', '\nc')).toMatchObject({ ok: true, content: 'a\r\nc\r\n' });
  });
});

describe('what an edit says when it finds nothing', () => {
  it.each([
    [
      'the closest lines and the character',
      'a\nlet total = 1;\nb\n',
      'a\nlet totals = 1;\nb',
      ['lines 1 to 3', 'First at line 2: column 10 has a space where "s"'],
    ],
    ['a tab for spaces in part of a line', 'x\tif y { go(); }\n', 'x if y', ['column 2 has a tab where a space']],
    [
      'a similar line when none is the same',
      'x\nfunction compute(a, b) {\n',
      'function computes(a, b) {',
      ['The closest text is at line 2'],
    ],
    ['the end of the file', 'one\ntwo\n', 'two\nthree', ['the file ends before "three"']],
    ['nothing at all', 'one\n', 'zzz', ['No similar text']],
    ['pasted line numbers', 'one\ntwo\n', '     1\tone\n     2\ttwo', ['line numbers']],
  ])('shows %s', (_, content, oldText, words) => {
    const result = plan(content, oldText, 'new');
    for (const expected of words)
      expect(result).toMatchObject({ ok: false, reason: expect.stringContaining(expected) });
  });

  it('answers soon over a large file of equal lines', () => {
    const content = '}\n'.repeat(500_000);
    expect(plan(content, '}\n}\nx', 'y')).toMatchObject({ ok: false });
    expect(plan(content, '}', 'y')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('more than 100000 times'),
    });
    expect(plan('a'.repeat(3_000_000), 'b', 'c')).toMatchObject({ ok: false });
  });
});

describe('edit_file on files that are no plain text', () => {
  it('refuses them at once and leaves them as they are', async () => {
    const { root, env } = world('x');
    const edit = async (file_path: string) =>
      asResult(await editFileExecutor({ file_path, old_string: 'x', new_string: 'y' }, env));
    writeFileSync(path.join(root, 'binary'), Buffer.from([120, 0, 120]));
    writeFileSync(path.join(root, 'latin1'), Buffer.from([120, 0xfc]));
    writeFileSync(path.join(root, 'huge'), 'x');
    truncateSync(path.join(root, 'huge'), 60 << 20);
    spawnSync('mkfifo', [path.join(root, 'pipe')]);
    for (const name of ['binary', 'latin1', 'huge', 'pipe', '.', 'gone']) {
      expect(await edit(name)).toMatchObject({ isError: true });
    }
    expect(readFileSync(path.join(root, 'latin1'))).toEqual(Buffer.from([120, 0xfc]));
  });

  it('refuses half a character, in what it looks for and in what it writes', async () => {
    const { env, edit, content } = world('a\u{1f600}b');
    expect(await edit('a\ud83d', 'x')).toMatchObject({ isError: true });
    expect(await edit('a', '\ud83d')).toMatchObject({ isError: true });
    expect(asResult(await writeFileExecutor({ file_path: 'a.txt', content: '\ude00' }, env))).toMatchObject({
      isError: true,
    });
    expect(content()).toBe('a\u{1f600}b');
  });
});

describe('what the model knows of a file', () => {
  it('counts its own changes, and notices those of others in between', async () => {
    const { env, edit, file } = world('one\n');
    await readFileExecutor()({ file_path: 'a.txt' }, env);
    expect(await edit('one', 'two')).toMatchObject({ isError: false });
    expect(await edit('two', 'three')).toMatchObject({ isError: false });
    writeFileSync(file, 'three\nfour\n');
    expect(await edit('three', 'five')).toMatchObject({
      isError: true,
      output: expect.stringContaining('changed since'),
    });
  });

  it('tells of a formatter that rewrote the file at once, and refuses the next change until it is read again', async () => {
    const { env, file } = world('one\n');
    const writeFile: typeof env.writeFile = async (...args) => {
      await env.writeFile(...args);
      writeFileSync(file, 'formatted\n');
    };
    const formatted = { ...env, writeFile };
    const edit = async (old_string: string) =>
      asResult(await editFileExecutor({ file_path: 'a.txt', old_string, new_string: 'two' }, formatted));
    expect(await edit('one')).toMatchObject({ isError: false, output: expect.stringContaining('by something else') });
    expect(await edit('formatted')).toMatchObject({ isError: true, output: expect.stringContaining('changed since') });
    await readFileExecutor()({ file_path: 'a.txt' }, formatted);
    expect(await edit('formatted')).toMatchObject({ isError: false });
  });

  it('lets a file be written anew after it is gone', async () => {
    const { env, root } = world('one\n');
    await readFileExecutor()({ file_path: 'a.txt' }, env);
    await env.deleteFile('a.txt');
    expect(asResult(await writeFileExecutor({ file_path: 'a.txt', content: 'new' }, env))).toMatchObject({
      isError: false,
    });
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('new');
  });
});

describe('the surface', () => {
  it('says with one parameter that several places are meant', async () => {
    const properties = (tool: ReturnType<typeof createEditFileTool>) => tool.definition.parameters['properties'];
    expect(properties(createEditFileTool())).toHaveProperty('replace_all');
    const counted = createEditFileTool({ several: 'expected_replacements' });
    expect(properties(counted)).toHaveProperty('expected_replacements');
    expect(properties(counted)).not.toHaveProperty('replace_all');
    const { edit, content } = world('x\nx\n');
    expect(await edit('x', 'y', { expected_replacements: 2 })).toMatchObject({ isError: false });
    expect(content()).toBe('y\ny\n');
  });
});
