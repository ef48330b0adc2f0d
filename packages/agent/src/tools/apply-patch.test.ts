import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { EnvironmentError } from '../types/index.ts';
import { applyPatchExecutor, createApplyPatchTool } from './apply-patch.ts';
import { applyHunks, parsePatch, type PatchOperation } from '@attractor/patch';

import { createReadFileTool } from './read-file.ts';

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

const parsed = (...lines: string[]): ReadonlyArray<PatchOperation> => {
  const result = parsePatch(patch(...lines));
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.operations : [];
};

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const apply = async (...lines: string[]) => {
    const result = await applyPatchExecutor({ patch: patch(...lines) }, env);
    return typeof result === 'string' ? { output: result, isError: false } : result;
  };
  const content = (name: string): string => readFileSync(path.join(root, name), 'utf8');
  return { root, env, apply, content };
};

describe('parsePatch', () => {
  it('reads every kind of operation', () => {
    expect(
      parsed(
        '*** Add File: a.ts',
        '+one',
        '+',
        '*** Delete File: b.ts',
        '*** Update File: c.ts',
        '*** Move to: d.ts',
        '@@ class A',
        '@@ run()',
        ' keep',
        '',
        '-old',
        '+new',
        '@@',
        '+tail',
        '*** End of File',
      ),
    ).toEqual([
      { kind: 'add', path: 'a.ts', content: 'one\n\n' },
      { kind: 'delete', path: 'b.ts' },
      {
        kind: 'update',
        path: 'c.ts',
        moveTo: 'd.ts',
        hunks: [
          {
            contextHeader: 'run()',
            outerHeaders: ['class A'],
            atEndOfFile: false,
            lines: [
              { kind: 'context', text: 'keep' },
              { kind: 'context', text: '' },
              { kind: 'remove', text: 'old' },
              { kind: 'add', text: 'new' },
            ],
          },
          { contextHeader: null, outerHeaders: [], atEndOfFile: true, lines: [{ kind: 'add', text: 'tail' }] },
        ],
      },
    ]);
  });

  it.each([
    ['no beginning', '*** Add File: a\n+x\n*** End Patch', 'Begin Patch'],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x', 'End Patch'],
    ['a wrong prefix', patch('*** Update File: a', '@@', '*oops'), 'must begin with'],
    ['nothing in it', patch(), 'no operations'],
    ['an update of nothing', patch('*** Update File: a'), 'no hunks'],
    ['a hunk of nothing', patch('*** Update File: a', '@@'), 'no lines'],
    ['the same path twice', patch('*** Delete File: a', '*** Add File: ./a', '+x'), 'named twice'],
    ['a carriage return in a path', patch('*** Add File: a\r.ts', '+x'), 'control characters'],
    ['an empty path', patch('*** Delete File:  '), 'empty'],
    ['text outside of an operation', patch('hello'), 'not an Add File'],
  ])('refuses %s', (_, text, reason) => {
    expect(parsePatch(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('takes a patch written with CRLF throughout', () => {
    expect(parsePatch(patch('*** Add File: a', '+x').replaceAll('\n', '\r\n'))).toEqual({
      ok: true,
      operations: [{ kind: 'add', path: 'a', content: 'x\n' }],
    });
  });

  it('never throws, whatever it is given', () => {
    const line = constantFrom(
      '*** Begin Patch',
      '*** End Patch',
      '*** Add File: a',
      '*** Update File: b',
      '*** Move to: c',
      '*** Delete File: d',
      '@@',
      '@@ x',
      '+a',
      '-a',
      ' a',
      '',
      '*** End of File',
      '\0',
      'x',
    );
    assert(
      property(array(line, { maxLength: 20 }), (lines) => {
        expect(typeof parsePatch(lines.join('\n')).ok).toBe('boolean');
        expect(typeof parsePatch(patch(...lines)).ok).toBe('boolean');
      }),
    );
  });
});

describe('applyHunks', () => {
  const apply = (content: string, ...lines: string[]) => {
    const [operation] = parsed('*** Update File: x', ...lines);
    return applyHunks(content, operation?.kind === 'update' ? operation.hunks : []);
  };

  it('finds context exactly, then but for white space, then but for typographic characters', () => {
    expect(apply('a\nb\nc\n', '@@', ' a', '-b', '+B')).toMatchObject({ ok: true, content: 'a\nB\nc\n' });
    expect(apply('  a  \n  b\nc\n', '@@', ' a', '-b', '+B')).toMatchObject({ ok: true, content: '  a  \n  B\nc\n' });
    expect(apply('say \u201chi\u201d\u00a0\u2014 now\nb\n', '@@', ' say "hi" - now', '-b', '+B')).toMatchObject({
      ok: true,
      content: 'say \u201chi\u201d\u00a0\u2014 now\nB\n',
    });
  });

  it('applies hunks in order and keeps context as the file has it', () => {
    expect(apply('1\n2\n3\n4\n5\n', '@@', ' 1', '+1.5', '@@', '-4', '@@', ' 5', '+6')).toMatchObject({
      ok: true,
      content: '1\n1.5\n2\n3\n5\n6\n',
    });
  });

  it('does not guess between two places, and takes a header as help', () => {
    const file = 'a() {\n  x\n}\nb() {\n  x\n}\n';
    expect(apply(file, '@@', '-  x', '+  y')).toMatchObject({ ok: false, reason: expect.stringContaining('2 places') });
    expect(apply(file, '@@ b() {', '-  x', '+  y')).toMatchObject({
      ok: true,
      content: 'a() {\n  x\n}\nb() {\n  y\n}\n',
    });
    expect(apply(file, '@@ c() {', '-  x', '+  y')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('@@ c() {'),
    });
  });

  it('says what was not found', () => {
    expect(apply('a\nb\n', '@@', ' a', '-z', '+y')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('lines 1 to 2'),
    });
  });

  it('puts additions without context at the end, or after their header', () => {
    expect(apply('a\nb\n', '@@', '+c')).toMatchObject({ ok: true, content: 'a\nb\nc\n' });
    expect(apply('a\nb\n', '@@ a', '+c')).toMatchObject({ ok: true, content: 'a\nc\nb\n' });
    expect(apply('', '@@', '+c')).toMatchObject({ ok: true, content: 'c\n' });
  });

  it('looks only at the end when the end of the file is meant', () => {
    expect(apply('x\na\nx\n', '@@', '-x', '+y', '*** End of File')).toMatchObject({ ok: true, content: 'x\na\ny\n' });
    expect(apply('x\na\n', '@@', '-x', '+y', '*** End of File')).toMatchObject({ ok: false });
  });

  it('keeps CRLF, byte order mark and a missing final newline', () => {
    expect(apply('\ufeffa\r\nb\r\nc', '@@', ' a', '-b', '+B', '+B2')).toMatchObject({
      ok: true,
      content: '\ufeffa\r\nB\r\nB2\r\nc',
    });
    expect(apply('a\nb', '@@', ' b', '+c')).toMatchObject({ ok: true, content: 'a\nb\nc' });
    expect(apply('a\nb', '@@', '-b')).toMatchObject({ ok: true, content: 'a' });
  });

  it('changes exactly the replaced lines of any file', () => {
    const word = string({ minLength: 1, maxLength: 4, unit: constantFrom('a', 'b', 'é', ' ') });
    assert(
      property(
        array(word, { maxLength: 8 }),
        tuple(word, word),
        constantFrom('\n', '\r\n'),
        (lines, [before, after], end) => {
          const head = lines.map((line) => `${line}${end}`).join('');
          const tail = lines.map((line) => `${line}${end}`).join('');
          const result = apply(`${head}UNIQUE ${before}${end}${tail}`, '@@', `-UNIQUE ${before}`, `+${after}`);
          expect(result).toMatchObject({
            ok: true,
            content: `${head}${after}${lines.length === 0 ? '\n'.padStart(end.length, '\r') : end}${tail}`,
          });
        },
      ),
    );
  });
});

describe('apply_patch', () => {
  it('adds, deletes, updates and moves on the real environment, and says so', async () => {
    const { root, apply, content } = world({ 'src/main.sh': 'one\ntwo\nthree\n', 'old.ts': 'x\n', 'up.ts': 'a\n' });
    chmodSync(path.join(root, 'src/main.sh'), 0o755);
    const result = await apply(
      '*** Add File: src/new.ts',
      '+hello',
      '*** Update File: src/main.sh',
      '*** Move to: bin/main.sh',
      '@@',
      ' one',
      '-two',
      '+TWO',
      '@@',
      '-three',
      '+3',
      '*** Delete File: old.ts',
      '*** Update File: up.ts',
      '@@',
      '-a',
      '+b',
    );
    expect(result).toEqual({
      isError: false,
      output:
        'Applied 4 operations: Added src/new.ts, Updated src/main.sh (2 hunks), moved to bin/main.sh, Deleted old.ts, Updated up.ts (1 hunk)',
    });
    expect([content('src/new.ts'), content('bin/main.sh'), content('up.ts')]).toEqual([
      'hello\n',
      'one\nTWO\n3\n',
      'b\n',
    ]);
    expect([existsSync(path.join(root, 'old.ts')), existsSync(path.join(root, 'src/main.sh'))]).toEqual([false, false]);
    expect(statSync(path.join(root, 'bin/main.sh')).mode & 0o777).toBe(0o755);
  });

  it('moves a file with a hunk of context alone', async () => {
    const { apply, content } = world({ 'a.txt': 'one\ntwo\n' });
    const moved = await apply('*** Update File: a.txt', '*** Move to: b.txt', '@@', ' one', ' two');
    expect(moved).toMatchObject({ isError: false });
    expect(content('b.txt')).toBe('one\ntwo\n');
    expect(await apply('*** Update File: b.txt', '@@', ' one')).toMatchObject({ isError: true });
  });

  it('takes new lines as they are written where the file is indented unevenly, and says so', async () => {
    const { apply, content } = world({ 'a.py': 'if a:\n   b()\n\t c()\n' });
    const result = await apply('*** Update File: a.py', '@@', ' if a:', '   b()', '   c()', '+  d()');
    expect(result).toMatchObject({ isError: false, output: expect.stringContaining('put in as written') });
    expect(content('a.py')).toBe('if a:\n   b()\n\t c()\n  d()\n');
  });

  it.each([
    ['a hunk that does not fit', ['*** Update File: b.txt', '@@', '-nothing', '+x']],
    ['a missing file', ['*** Delete File: gone.txt']],
    ['a path outside', ['*** Add File: ../evil.txt', '+x']],
    ['a protected path', ['*** Add File: .git/hooks/pre-commit', '+x']],
    ['a move out of the root', ['*** Update File: b.txt', '*** Move to: ../../moved', '@@', '-b', '+x']],
    ['a file that exists already', ['*** Add File: b.txt', '+x']],
    ['a move onto a file', ['*** Update File: b.txt', '*** Move to: c.txt', '@@', '-b', '+x']],
    ['a folder', ['*** Delete File: dir']],
  ])('changes nothing at all when one operation fails: %s', async (_, failing) => {
    const { root, apply, content } = world({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'dir/x': '' });
    const result = await apply(
      '*** Add File: new/file.txt',
      '+x',
      '*** Update File: a.txt',
      '*** Move to: moved.txt',
      '@@',
      '-a',
      '+A',
      '*** Update File: c.txt'.replace('c.txt', 'dir/x'),
      '@@',
      '+y',
      ...failing,
    );
    expect(result.isError).toBe(true);
    expect([content('a.txt'), content('b.txt'), content('c.txt'), content('dir/x')]).toEqual(['a\n', 'b\n', 'c\n', '']);
    expect(
      readdirSync(root)
        .filter((name) => name !== 'new')
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'dir']);
    expect(existsSync(path.join(root, 'new/file.txt'))).toBe(false);
  });

  it('refuses a file that changed since the model read it', async () => {
    const { root, env, apply } = world({ 'a.txt': 'a\n' });
    await createReadFileTool().executor({ file_path: 'a.txt' }, env);
    writeFileSync(path.join(root, 'a.txt'), 'a\nmore\n');
    expect(await apply('*** Update File: a.txt', '@@', '-a', '+b')).toMatchObject({
      isError: true,
      output: expect.stringContaining('changed since'),
    });
  });

  it.each([
    ['a NUL character', 'a\0b'],
    ['half a character', 'a\ud83d'],
  ])('refuses a patch with %s', async (_, text) => {
    const { root, apply } = world();
    expect(await apply('*** Add File: a', `+${text}`)).toMatchObject({ isError: true });
    expect(readdirSync(root)).toEqual([]);
  });

  it('refuses to update what is no text, and can still delete or move it', async () => {
    const { root, apply } = world();
    writeFileSync(path.join(root, 'latin1'), Buffer.from([120, 0xfc, 10]));
    writeFileSync(path.join(root, 'binary'), Buffer.from([120, 0, 10]));
    for (const name of ['latin1', 'binary']) {
      expect(await apply(`*** Update File: ${name}`, '@@', '+x')).toMatchObject({ isError: true });
    }
    expect(await apply('*** Update File: latin1', '*** Move to: moved')).toMatchObject({ isError: false });
    expect(await apply('*** Delete File: binary')).toMatchObject({ isError: false });
    expect(readFileSync(path.join(root, 'moved'))).toEqual(Buffer.from([120, 0xfc, 10]));
    expect(readdirSync(root)).toEqual(['moved']);
  });

  it('applies ten thousand hunks, and refuses as many that fit nowhere in particular', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    const { apply, content } = world({ 'a.txt': `${lines.join('\n')}\n`, 'same.txt': '}\n'.repeat(20_000) });
    const hunks = lines.flatMap((line) => ['@@', `-${line}`, `+new ${line}`]);
    expect(await apply('*** Update File: a.txt', ...hunks)).toMatchObject({
      isError: false,
      output: 'Applied 1 operation: Updated a.txt (10000 hunks)',
    });
    expect(content('a.txt')).toBe(`${lines.map((line) => `new ${line}`).join('\n')}\n`);
    const vague = lines.flatMap(() => ['@@', ' }', '-}', '+x']);
    expect(await apply('*** Update File: same.txt', ...vague)).toMatchObject({ isError: true });
  });

  it('changes five hundred files at once', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `d${index % 7}/f${index}`);
    const { root, apply } = world();
    expect(await apply(...names.flatMap((name) => [`*** Add File: ${name}`, '+x']))).toMatchObject({ isError: false });
    expect(readdirSync(root, { recursive: true })).toHaveLength(507);
  });

  it('names each hunk that fitted only when something was overlooked', async () => {
    const { apply } = world({ 'a.txt': 'one \ntwo\n' });
    expect(await apply('*** Update File: a.txt', '@@', ' one', '-two', '+2')).toMatchObject({
      output:
        'Applied 1 operation: Updated a.txt (1 hunk)\na.txt: hunk 1 was found at line 1, not counting differences in trailing white space',
    });
  });

  it('goes the same way in an environment that knows only single files, and takes back what it did', async () => {
    const { root, env } = world({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { changeFiles: _, ...single } = env;
    const failing = {
      ...single,
      deleteFile: async () => Promise.reject(new EnvironmentError({ code: 'failed', message: 'no' })),
    };
    const text = patch(
      '*** Update File: a.txt',
      '@@',
      '-a',
      '+A',
      '*** Add File: c.txt',
      '+c',
      '*** Delete File: b.txt',
    );
    const removed: string[] = [];
    const answer = await applyPatchExecutor(
      { patch: text },
      {
        ...failing,
        deleteFile: async (file) => {
          if (file === 'b.txt') return failing.deleteFile();
          removed.push(file);
          return single.deleteFile(file);
        },
      },
    );
    expect(answer).toMatchObject({ isError: true });
    expect(removed).toEqual(['c.txt']);
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('a\n');
    expect(await applyPatchExecutor({ patch: text }, single)).toContain('Applied 3 operations');
    expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'c.txt']);
  });
});

it('deletes a link that leads outside, and nothing of what it leads to', async () => {
  const outside = makeFolder({ 'kept.txt': 'kept' });
  const { root, apply } = world({ 'a.txt': 'a' });
  symlinkSync(path.join(outside, 'kept.txt'), path.join(root, 'link'));
  expect(await apply('*** Delete File: link')).toMatchObject({ isError: false });
  expect(lstatSync(path.join(root, 'link'), { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(path.join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  symlinkSync(outside, path.join(root, 'folder'));
  expect(await apply('*** Delete File: folder/kept.txt')).toMatchObject({ isError: true });
  expect(existsSync(path.join(outside, 'kept.txt'))).toBe(true);
});

it('takes the patch under the name that codex gives it', () => {
  const { ownArguments } = createApplyPatchTool();
  expect(ownArguments?.({ input: 'the patch' })).toEqual({ patch: 'the patch' });
  expect(ownArguments?.({ patch: 'the patch' })).toEqual({ patch: 'the patch' });
});
