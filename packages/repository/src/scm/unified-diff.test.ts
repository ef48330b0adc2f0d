import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../test-support/git-world.ts';
import { must, runs } from '@attractor/store/testing';
import { readPicture } from './changed-picture.ts';
import { readFileLines } from './file-lines.ts';
import { readDiffText, readFileDiffs } from './task-diff.ts';
import { readUnifiedDiff } from './unified-diff.ts';

const diffOf = async (path: string, maxBytes = 1 << 20) =>
  must(await readDiffText(path, { from: 'HEAD~1', to: 'HEAD', maxBytes }));

describe('a diff', () => {
  it('is read as files, hunks and lines, whatever the names and bytes are', async () => {
    const path = await makeRepository({
      'a b.txt': 'one\ntwo\nthree\n',
      gone: 'x\n',
      'bin.dat': '\u0000\u0001',
      empty: '',
    });
    writeFileSync(join(path, 'a b.txt'), 'one\n2\nthree\nfour without an end');
    writeFileSync(join(path, 'tab\there "quoted" ü.txt'), '@@ -1 +1 @@\n--- a/x\n');
    writeFileSync(join(path, 'bin.dat'), '\u0000\u0002');
    writeFileSync(join(path, 'cr.txt'), 'a\rdiff --git a/x b/x\r@@ -1 +1 @@\r\n');
    await git(path, 'rm', '--quiet', 'gone', 'empty');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'second');
    const files = readUnifiedDiff((await diffOf(path)).text);
    expect(
      files.map(({ path: name, status, binary, additions, deletions }) => [name, status, binary, additions, deletions]),
    ).toEqual([
      ['a b.txt', 'changed', false, 2, 1],
      ['bin.dat', 'changed', true, 0, 0],
      ['cr.txt', 'added', false, 1, 0],
      ['empty', 'removed', false, 0, 0],
      ['gone', 'removed', false, 0, 1],
      ['tab\there "quoted" ü.txt', 'added', false, 2, 0],
    ]);
    expect(files[0]?.hunks[0]).toMatchObject({
      oldStart: 1,
      newStart: 1,
      lines: [
        { kind: 'context', text: 'one' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: '2' },
        { kind: 'context', text: 'three' },
        { kind: 'added', text: 'four without an end' },
      ],
    });
    const cut = await diffOf(path, 400);
    expect([cut.truncated, cut.text.endsWith('\n'), cut.text.length <= 400]).toEqual([true, true, true]);
  });

  it('for people, says where a moved file was; a picture is read as either side has it, and nothing else is', async () => {
    const points = Buffer.from('89504e470d0a1a0a00ff80fe', 'hex');
    const path = await makeRepository({
      'old "name".txt': 'one\ntwo\nthree\nfour\n',
      still: 'a\nb\nc\n',
      'x.png': 'no',
    });
    mkdirSync(join(path, 'new'));
    await git(path, 'mv', 'old "name".txt', 'new/näme.txt');
    await git(path, 'mv', 'still', 'new/still');
    writeFileSync(join(path, 'new/näme.txt'), 'one\n2\nthree\nfour\n');
    writeFileSync(join(path, 'x.png'), points);
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'second');
    const { files } = must(await readFileDiffs(path, { from: 'HEAD~1', to: 'HEAD', maxBytes: 1 << 20 }));
    expect(files.map(({ path: name, status, movedFrom, additions }) => [name, status, movedFrom, additions])).toEqual([
      ['new/näme.txt', 'moved', 'old "name".txt', 1],
      ['new/still', 'moved', 'still', 0],
      ['x.png', 'changed', null, 0],
    ]);
    const picture = (commit: string, name: string) => readPicture(path, { commit, path: name });
    expect(must(await picture('HEAD', 'x.png'))).toEqual({ mediaType: 'image/png', base64: points.toString('base64') });
    expect(await picture('HEAD~1', 'x.png')).toMatchObject({ ok: false, error: { code: 'blocked' } });
    expect(await picture('HEAD', '../x.png')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('shows a picture that Git LFS keeps, and no other file that stands among its objects', async () => {
    const points = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
      'base64',
    );
    const oid = createHash('sha256').update(points).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${points.length}\n`;
    const path = await makeRepository({ 'x.png': pointer });
    const object = join(path, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    mkdirSync(dirname(object), { recursive: true });
    writeFileSync(object, points);
    const picture = () => readPicture(path, { commit: 'HEAD', path: 'x.png' });
    expect(must(await picture())).toEqual({ mediaType: 'image/png', base64: points.toString('base64') });
    writeFileSync(object, Buffer.from(points).fill(0, points.length - 1));
    expect(await picture()).toMatchObject({ ok: false, error: { code: 'blocked' } });
  });

  it('leaves lines out that can be read piece by piece, of text alone', async () => {
    const path = await makeRepository({ 'in/ü.txt': 'one\ntwo\n\nfour\n', open: 'no end', 'bin.dat': 'a\0b' });
    const lines = async (name: string, from: number, count: number) =>
      must(await readFileLines(path, { commit: 'HEAD', path: name, from, count }));
    expect(await lines('in/ü.txt', 2, 2)).toEqual({ commit: 'HEAD', from: 2, lines: ['two', ''], total: 4 });
    expect(await lines('in/ü.txt', 4, 500)).toEqual({ commit: 'HEAD', from: 4, lines: ['four'], total: 4 });
    expect(await lines('in/ü.txt', 9, 20)).toEqual({ commit: 'HEAD', from: 9, lines: [], total: 4 });
    expect(await lines('open', 1, 20)).toMatchObject({ lines: ['no end'], total: 1 });
    const refused = async (name: string) => {
      const read = await readFileLines(path, { commit: 'HEAD', path: name, from: 1, count: 1 });
      return read.ok ? 'read' : read.error.code;
    };
    expect([await refused('bin.dat'), await refused('none'), await refused('../open'), await refused('in')]).toEqual([
      'blocked',
      'not_found',
      'not_found',
      'not_found',
    ]);
  });

  it('gives back the lines of both sides', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '+', '-', '@', '\\', 'd', 'ü'), maxLength: 6 });
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.map((one) => `${one}\n`).join(''));
    const path = await makeRepository({ 'deep/x': 'y\n' });
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        for (const content of [before, after]) {
          mkdirSync(dirname(join(path, 'deep/x')), { recursive: true });
          writeFileSync(join(path, 'deep/x'), content);
          await git(path, 'add', '--all');
          await git(path, 'commit', '--quiet', '--allow-empty', '-m', 'next');
        }
        const [file] = readUnifiedDiff((await diffOf(path)).text);
        const lines = file?.hunks.flatMap((hunk) => hunk.lines) ?? [];
        const side = (kind: 'added' | 'removed'): string =>
          lines
            .filter((one) => one.kind !== (kind === 'added' ? 'removed' : 'added'))
            .map((one) => `${one.text}\n`)
            .join('');
        if (before !== after) expect([side('removed'), side('added')]).toEqual([before, after]);
      }),
      { numRuns: runs(6) },
    );
  });
});
