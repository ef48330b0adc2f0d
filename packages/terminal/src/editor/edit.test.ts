import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { completableIn, completed } from '../complete/completion.ts';
import { imagePathsIn } from '../converse/image-paths.ts';
import { foldPaste } from './pastes.ts';
import { describe, expect, it } from 'vitest';
import { createKeyParser } from '../keys/parse-keys.ts';
import { textOf } from '../themes/line.ts';
import { openDraftFile } from './draft-file.ts';
import { edit } from './edit.ts';
import { type Editing, NOTHING_WRITTEN, wholeText } from './editing.ts';
import { editorRows } from './editor-rows.ts';
import { VI_AT_START } from './vi-keys.ts';

function press(keys: string, from: Editing = NOTHING_WRITTEN): Editing {
  const parser = createKeyParser();
  return [...parser.feed(keys), ...parser.flush()].reduce((editing, key) => edit(editing, key) ?? editing, from);
}

const VI: Editing = { ...NOTHING_WRITTEN, vi: VI_AT_START };

describe('the editor', () => {
  it.each([
    ['hello\u0001X', 'Xhello'],
    ['one two three\u0017', 'one two '],
    ['one two\u001bb\u001bbX', 'Xone two'],
    ['one two\u0015', ''],
    ['one\u0015\u0019\u0019', 'oneone'],
    ['ab\u0014', 'ba'],
    ['a\u001b[13;2ub', 'a\nb'],
    ['a\u001b\rb\u001b[D\u007f', 'ab'],
    ['漢字\u007f', '漢'],
    ['👍🏽\u007f', ''],
    ['one two\u001f', 'one'],
    ['one two\u001f\u001f\u001f', ''],
    ['abc\u0001\u000b', ''],
  ])('makes of %j the text %j', (keys, text) => {
    expect(press(keys).draft.text).toBe(text);
  });

  it.each([
    ['hello world\u001b0dw', 'world'],
    ['hello\u001bxi!', 'hell!'],
    ['one\u001bddione', 'one'],
    ['a b c\u001b0wcwX', 'a Xc'],
    ['ab\u001bu', ''],
    ['line\u001boother', 'line\nother'],
    ['abc\u001b0rX', 'Xbc'],
    ['abc\u001byyp', 'abcabc\n'],
    ['hello\u001b0D', ''],
  ])('makes of %j in vi the text %j', (keys, text) => {
    expect(press(keys, VI).draft.text).toBe(text);
  });

  it('folds a long paste, keeps all of it, and removes it as a whole', () => {
    const pasted = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join('\n');
    const editing = press(`see \u001b[200~${pasted}\u001b[201~!`);
    expect(editing.draft.text).toBe('see [paste 1: 10,000 lines]!');
    expect(wholeText(editing)).toBe(`see ${pasted}!`);
    expect(press('\u007f\u007f', editing).draft.text).toBe('see ');
  });

  it('always has the cursor inside its rows and between two characters', () => {
    const keys = [
      'a',
      '漢',
      '👍🏽',
      ' ',
      '\u001b\r',
      '\u001b[D',
      '\u001b[C',
      '\u007f',
      '\u0017',
      '\u0001',
      '\u0005',
      '\u001b[3~',
      '\u001f',
      '\u0019',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...keys), { maxLength: 60 }),
        fc.integer({ min: 8, max: 30 }),
        (pressed, columns) => {
          const { draft } = press(pressed.join(''));
          const { rows, cursor } = editorRows(draft, { columns, most: 5, mark: '> ', role: 'accent', hint: '' });
          expect(cursor.row).toBeLessThan(rows.length);
          expect(textOf(rows[cursor.row] ?? []).startsWith(textOf(cursor.before).trimEnd())).toBe(true);
          expect(draft.text.slice(0, draft.cursor).isWellFormed()).toBe(true);
        },
      ),
    );
  });

  it('is on disk whole after every key, whether it grows or shrinks, and what is behind its line does not count', () => {
    const folder = mkdtempSync(join(tmpdir(), 'draft-'));
    const draft = openDraftFile(folder, 'here');
    const [file = ''] = ['first', 'x'.repeat(9_000), 'short', 'longer than short', 'é'.repeat(3_000), 'last'].map(
      (text) => {
        draft.keep({ text, cursor: 1, pastes: [] });
        const [name = ''] = readdirSync(folder);
        expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ text });
        return join(folder, name);
      },
    );
    writeFileSync(file, `${readFileSync(file, 'utf8')}of a longer one"}`);
    expect(openDraftFile(folder, 'here').adopt()).toMatchObject({ text: 'last', cursor: 1 });
    draft.keep({ text: '', cursor: 0, pastes: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('counts the lines of a paste as people do, and keeps a file with a blank in its name one word', () => {
    expect(foldPaste([], 'row\n'.repeat(12)).shown).toBe('[paste 1: 12 lines]');
    const draft = { text: 'see @src', cursor: 8 };
    const of = completableIn(draft);
    if (of === null) throw new Error('nothing to complete');
    expect(completed(draft, of, { text: 'src/a shot.png' }).text).toBe('see @"src/a shot.png" ');
    expect(completed(draft, of, { text: 'src/' }).text).toBe('see @src/');
    expect(imagePathsIn('see @"src/a shot.png" ')).toEqual(['src/a shot.png']);
  });
});
