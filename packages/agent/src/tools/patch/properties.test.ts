import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { makeMemoryFolder, runs } from '@attractor/base/testing';

import { v4aDiff } from '../../test-support/v4a-diff.ts';
import type { ToolResult } from '../../types/index.ts';
import { applyPatchExecutor } from '../apply-patch.ts';
import { editFileExecutor } from '../edit-file.ts';
import { applyHunks, parsePatch, planEdit } from '@attractor/patch';

const MANY = runs(150, 50_000);

const asResult = (answer: string | ToolResult): ToolResult =>
  typeof answer === 'string' ? { output: answer, isError: false } : answer;

/** All below a folder, byte for byte. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true }).map((entry) => {
      const file = path.join(folder, String(entry));
      const stats = lstatSync(file);
      const content = stats.isFile() ? readFileSync(file, 'latin1') : stats.isSymbolicLink() ? readlinkSync(file) : '';
      return [String(entry), `${stats.mode} ${content}`];
    }),
  );

const word = string({
  minLength: 0,
  maxLength: 5,
  unit: constantFrom('a', 'b', ' ', '\t', '\u00e9', '\u2019', "'", '\u00a0', '\ud83d\ude00', '{'),
});
const end = constantFrom('\n', '\n', '\r\n');

const text = record({
  mark: constantFrom('', '', '\ufeff'),
  lines: array(word, { maxLength: 14 }),
  ends: oneof(constantFrom('\n', '\r\n'), array(end, { minLength: 14, maxLength: 14 })),
  endsWithNewLine: boolean(),
}).map(({ mark, lines, ends, endsWithNewLine }) => {
  const joined = lines.map((line, index) => line + (typeof ends === 'string' ? ends : (ends[index] ?? '\n'))).join('');
  return mark + (endsWithNewLine ? joined : joined.replace(/\r?\n$/, ''));
});

/** A text and another one made from it by a few changes. */
const pair = tuple(
  text,
  array(tuple(integer({ min: 0, max: 14 }), constantFrom('drop', 'add', 'change'), word, end), { maxLength: 4 }),
  oneof({ weight: 5, arbitrary: constantFrom(null) }, { weight: 1, arbitrary: text }),
).map(([a, changes, other]) => {
  if (other !== null) return { a, b: other };
  const lines = a.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [at, how, words, lineEnd] of changes) {
    const index = Math.min(at, lines.length);
    if (how === 'drop') lines.splice(index, 1);
    else lines.splice(index, how === 'add' ? 0 : 1, words + (a.includes('\r\n') ? '\r\n' : lineEnd));
  }
  return { a, b: lines.join('') };
});

describe('patches', () => {
  it('give back the other text: apply(diff(a, b), a) = b', () => {
    let applied = 0;
    assert(
      property(pair, integer({ min: 1, max: 3 }), ({ a, b }, context) => {
        const patch = a === '\ufeff' || b === '\ufeff' ? null : v4aDiff(a, b, { path: 'x', context });
        if (patch === null) return;
        const parsed = parsePatch(patch);
        const [operation] = parsed.ok ? parsed.operations : [];
        expect(parsed).toMatchObject({ ok: true });
        expect(applyHunks(a, operation?.kind === 'update' ? operation.hunks : [])).toEqual({
          ok: true,
          content: b,
          notes: [],
        });
        applied++;
      }),
      { numRuns: MANY },
    );
    expect(applied).toBeGreaterThan(MANY / 3);
  });

  it('of any shape change all or nothing, and nothing outside', async () => {
    const box = makeMemoryFolder();
    const root = path.join(box, 'root');
    mkdirSync(path.join(box, 'outside'));
    mkdirSync(path.join(root, 'dir'), { recursive: true });
    mkdirSync(path.join(root, '.git'));
    writeFileSync(path.join(box, 'outside/canary'), 'canary\n');
    writeFileSync(path.join(root, '.git/config'), 'theirs\n');
    symlinkSync('../outside', path.join(root, 'way-out'));
    symlinkSync('../outside/canary', path.join(root, 'link-out'));
    linkSync(path.join(box, 'outside/canary'), path.join(root, 'hard'));
    const outside = treeOf(path.join(box, 'outside'));
    const env = createLocalExecutionEnvironment(root);
    let applied = 0;
    await assert(
      asyncProperty(anyPatch, async (patch) => {
        const before = treeOf(root);
        const result = asResult(await applyPatchExecutor({ patch }, env));
        const after = treeOf(root);
        if (result.isError) expect(after).toEqual(before);
        else applied++;
        expect(after['.git/config']).toBe(before['.git/config']);
        expect(Object.keys(after).filter((name) => name.includes('.attractor'))).toEqual([]);
        expect(treeOf(path.join(box, 'outside'))).toEqual(outside);
        expect(existsSync('/etc/attractor-test')).toBe(false);
      }),
      { numRuns: MANY },
    );
    expect(applied).toBeGreaterThan(MANY / 50);
  });
});

const plainPath = constantFrom('a', 'b', 'c', 'dir/a', 'dir/b', 'new/x', 'new/deep/y', './z');
const anyPath = oneof(
  { weight: 4, arbitrary: plainPath },
  {
    weight: 1,
    arbitrary: constantFrom(
      'dir',
      '.',
      '',
      ' ',
      '/',
      '../outside/canary',
      '../outside/new',
      'dir/../../outside/x',
      'way-out/canary',
      'way-out/new',
      'link-out',
      'hard',
      '.git/config',
      '.git/hooks/x',
      '.GIT/config',
      '/etc/attractor-test',
      'a/b',
      'a\u202eb',
      'x'.repeat(300),
    ),
  },
);
const hunkLine = oneof(
  { weight: 3, arbitrary: constantFrom('+a', '+b', '@@', '+x') },
  {
    weight: 1,
    arbitrary: constantFrom(
      ' a',
      '-a',
      '-b',
      ' b',
      '',
      '+',
      '-',
      ' ',
      '+c\r',
      '-canary',
      '\\ No newline at end of file',
      '@@ a',
      '@@ -1,2 +3,4 @@',
      '*** End of File',
      'junk',
      '\u0000',
      '\ud800',
    ),
  },
);
const anyOperation = oneof(
  tuple(anyPath, array(constantFrom('+a', '+b', '+', '+c'), { maxLength: 3 }), constantFrom('', '', '', 'junk')).map(
    ([file, lines, junk]) => [`*** Add File: ${file}`, ...lines, junk],
  ),
  anyPath.map((file) => [`*** Delete File: ${file}`]),
  tuple(
    anyPath,
    oneof({ weight: 3, arbitrary: constantFrom(null) }, { weight: 1, arbitrary: anyPath }),
    array(hunkLine, { maxLength: 5 }),
  ).map(([file, to, lines]) => [`*** Update File: ${file}`, ...(to === null ? [] : [`*** Move to: ${to}`]), ...lines]),
);
const anyPatch = tuple(
  array(anyOperation, { minLength: 1, maxLength: 3 }),
  constantFrom('', '', '', '', '', '', '', 'no begin', 'no end', 'crlf', 'here'),
).map(([operations, spoilt]) => {
  const lines = [
    ...(spoilt === 'no begin' ? [] : ['*** Begin Patch']),
    ...operations.flat(),
    ...(spoilt === 'no end' ? [] : ['*** End Patch']),
  ];
  const patch = lines.join(spoilt === 'crlf' ? '\r\n' : '\n');
  return spoilt === 'here' ? `<<EOF\n${patch}\nEOF` : patch;
});

/** A text to look for: a piece of the content, perhaps spelled otherwise, or anything. */
const edit = tuple(
  text,
  integer({ min: 0, max: 60 }),
  integer({ min: 1, max: 20 }),
  record({
    spelling: constantFrom('same', 'same', 'plain', 'spaced', 'lf', 'other'),
    newText: word,
    all: boolean(),
    deep: boolean(),
  }),
).map(([content, from, length, more]) => {
  const piece = content.slice(from, from + length);
  const spelled = {
    same: piece,
    plain: piece.replaceAll('\u2019', "'").replaceAll('\u00a0', ' '),
    spaced: piece.replaceAll(' ', '  ').replaceAll('\t', ' '),
    lf: piece.replaceAll('\r\n', '\n'),
    other: `${piece}zz`,
  }[more.spelling];
  return {
    content,
    oldText: spelled,
    newText: more.deep ? `${spelled}\n${more.newText}` : more.newText,
    all: more.all,
  };
});

describe('edits', () => {
  it('of any shape change exactly the place they found, or nothing; mode and link stay', async () => {
    const box = makeMemoryFolder();
    const root = path.join(box, 'root');
    mkdirSync(root);
    writeFileSync(path.join(box, 'canary'), 'canary');
    const env = createLocalExecutionEnvironment(root);
    const file = path.join(root, 'file');
    symlinkSync('file', path.join(root, 'link'));
    let changed = 0;
    await assert(
      asyncProperty(
        edit,
        integer({ min: 0, max: 0o777 }),
        boolean(),
        async ({ content, oldText, newText, all }, mode, viaLink) => {
          writeFileSync(file, content);
          chmodSync(file, mode | 0o600);
          const args = {
            file_path: viaLink ? 'link' : 'file',
            old_string: oldText,
            new_string: newText,
            replace_all: all,
          };
          const fresh = { ...env };
          const result = asResult(await editFileExecutor(args, fresh));
          const after = readFileSync(file, 'utf8');
          const plan = planEdit(content, { oldText, newText, count: all ? 'all' : 1 });
          expect(result.isError).toBe(!plan.ok);
          expect(after).toBe(plan.ok ? plan.content : content);
          if (plan.ok) {
            changed++;
            if (plan.lines.length === 1) expectOnlyOnePlace(content, after, plan);
          }
          expect(statSync(file).mode & 0o777).toBe(mode | 0o600);
          expect(readdirSync(root).toSorted()).toEqual(['file', 'link']);
          expect(readlinkSync(path.join(root, 'link'))).toBe('file');
          expect(readdirSync(box).toSorted()).toEqual(['canary', 'root']);
        },
      ),
      { numRuns: MANY },
    );
    expect(changed).toBeGreaterThan(MANY / 10);
  });
});

function expectOnlyOnePlace(
  before: string,
  after: string,
  { oldText, newText }: { oldText: string; newText: string },
): void {
  const places: number[] = [];
  for (let at = before.indexOf(oldText); at >= 0; at = before.indexOf(oldText, at + 1)) places.push(at);
  const results = places.map((at) => before.slice(0, at) + newText + before.slice(at + oldText.length));
  expect(results).toContain(after);
}
