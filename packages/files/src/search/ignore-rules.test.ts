import { spawnSync } from 'node:child_process';
import { array, assert, constant, constantFrom, oneof, property, tuple } from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { expandBraces } from './braces.ts';
import { isIgnored, parseIgnoreFile } from './ignore-rules.ts';

const ignored = (text: string, file: string): boolean =>
  isIgnored([parseIgnoreFile('', text)], file.replace(/\/$/, ''), file.endsWith('/') ? 'folder' : 'file');

describe('ignore rules', () => {
  it.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/er/a.log', true],
    ['/*.log', 'deep/a.log', false],
    ['build/', 'build/', true],
    ['build/', 'build', false],
    ['build/', 'sub/build/', true],
    ['doc/*.txt', 'doc/a.txt', true],
    ['doc/*.txt', 'doc/sub/a.txt', false],
    ['**/cache', 'x/y/cache', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**', 'a/x', true],
    ['a/**', 'a', false],
    ['# no rule', '# no rule', false],
    ['\\#name', '#name', true],
    ['\\!name', '!name', true],
    ['*.log\n!keep.log', 'keep.log', false],
    ['!keep.log\n*.log', 'keep.log', true],
    ['name\\ ', 'name ', true],
    ['name ', 'name', true],
    ['name\r', 'name', true],
    ['[a-c]?.t[!x]t', 'b1.tat', true],
    ['[a-c]?.t[!x]t', 'b1.txt', false],
    ['[[:digit:]]*', '7up', true],
    ['[unclosed', '[unclosed', false],
    ['', 'a', false],
    ['/', 'a', false],
  ])('%j on %j gives %j', (text, file, expected) => {
    expect(ignored(text, file)).toBe(expected);
  });

  it('lets a deeper file take back what an upper one ignores', () => {
    const files = [parseIgnoreFile('', '*.log'), parseIgnoreFile('sub', '!keep.log')];
    expect(isIgnored(files, 'sub/keep.log', 'file')).toBe(false);
    expect(isIgnored(files, 'keep.log', 'file')).toBe(true);
    expect(isIgnored(files, 'subway/keep.log', 'file')).toBe(true);
  });

  it('is done soon with a pattern made to take for ever', () => {
    expect(ignored(`${'*a'.repeat(100)}b`, 'a'.repeat(250))).toBe(false);
    expect(ignored(`${'**/a/'.repeat(50)}b`, 'a/'.repeat(100) + 'c')).toBe(false);
  });

  it('agrees with git on any patterns and paths', () => {
    const root = makeFolder();
    spawnSync('git', ['init', '-q'], { cwd: root });
    const names = ['a', 'b', 'ab', 'a.log', '.x', '[a]', 'a b'];
    const folders = ['', 'a/', 'a/b/', 'ab/a/'];
    const files = folders.flatMap((folder) => names.map((name) => `${folder}${name}.f`));
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), '');
    }
    const plain = array(constantFrom('a', 'b', '*', '?', '.f', '[ab]', '[!a]', '\\*', '.log', ' '), {
      minLength: 1,
      maxLength: 4,
    }).map((pieces) => pieces.join('').replaceAll(/\*+/g, '*'));
    const segment = oneof({ weight: 4, arbitrary: plain }, constant('**'));
    const line = tuple(
      constantFrom('', '', '!'),
      constantFrom('', '/'),
      array(segment, { minLength: 1, maxLength: 3 }),
      constantFrom('', '', '/'),
    ).map(([negation, start, segments, end]) => negation + start + segments.join('/') + end);
    const lines = array(line, { minLength: 1, maxLength: 4 });
    const list = (text: string): ReadonlyArray<string> =>
      spawnSync('git', ['check-ignore', '--stdin', '--no-index', '-z'], { cwd: root, input: text, encoding: 'utf8' })
        .stdout.split('\0')
        .filter(Boolean);
    assert(
      property(lines, (patterns) => {
        const text = patterns.join('\n');
        writeFileSync(path.join(root, '.gitignore'), text);
        const rules = [parseIgnoreFile('', text)];
        const ours = files.filter((file) => isIgnoredWithParents(rules, file));
        expect(ours).toEqual(list(files.join('\0')));
      }),
      { numRuns: 150 },
    );
  });
});

describe('braces', () => {
  it.each([
    ['*.{ts,md}', ['*.ts', '*.md']],
    ['{a,b}/{c,d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{open', ['{open']],
    ['plain', ['plain']],
  ])('%s', (pattern, expected) => {
    expect(expandBraces(pattern)).toEqual(expected);
  });

  it('are bounded', () => {
    expect(expandBraces('{a,b}'.repeat(30)).length).toBeLessThanOrEqual(256);
  });
});

/** Git never looks into an ignored folder. */
function isIgnoredWithParents(rules: Parameters<typeof isIgnored>[0], file: string): boolean {
  const names = file.split('/');
  return names.some((_, index) =>
    isIgnored(rules, names.slice(0, index + 1).join('/'), index === names.length - 1 ? 'file' : 'folder'),
  );
}
