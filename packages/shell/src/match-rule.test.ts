import { describe, expect, it } from 'vitest';
import { allowsPart, matchShellPattern, restrictsPart, suggestRule } from './match-rule.ts';
import { readShell } from './read-shell.ts';
import { PLACES } from './test-support/decide.ts';

const parts = (command: string) => readShell(command, PLACES).parts;
const allows = (pattern: string, command: string): boolean => parts(command).every((part) => allowsPart(pattern, part));
const restricts = (pattern: string, command: string): boolean =>
  parts(command).some((part) => restrictsPart(pattern, part));

describe('a pattern', () => {
  it.each([
    ['git *', 'git log', true],
    ['git *', 'git', true],
    ['git *', 'gitk', false],
    ['git:*', 'git log', true],
    ['git:*', 'gitk', false],
    ['git*', 'gitk', true],
    ['npm run test', 'npm run test', true],
    ['npm run test', 'npm run test:all', false],
    ['npm run test:*', 'npm run test --watch', true],
    ['npm run test:*', 'npm run test:all', false],
    ['* --version', 'node --version', true],
    ['git * main', 'git push origin main', true],
    ['git * main', 'git push origin maine', false],
    ['*', 'anything at all', true],
    [`${'*a'.repeat(50)}b`, 'a'.repeat(5_000), false],
  ])('%s on %s is %s', (pattern, text, expected) => {
    expect(matchShellPattern(pattern, text)).toBe(expected);
  });
});

describe('an allow rule', () => {
  it('covers a part after wrappers and assignments that change nothing', () => {
    expect(allows('npm test', 'timeout 60 npm test')).toBe(true);
    expect(allows('npm test', 'NO_COLOR=1 npm test')).toBe(true);
    expect(allows('npm test', 'nohup npm test')).toBe(true);
  });

  it('does not cover a part that an assignment or a wrapper changes', () => {
    expect(allows('npm test', 'PATH=./x npm test')).toBe(false);
    expect(allows('npm test', 'sudo npm test')).toBe(false);
    expect(allows('npm test', 'watch npm test')).toBe(false);
    expect(allows('watch *', 'watch npm test')).toBe(false);
  });

  it('covers words that are only known when they run, where the program is fixed and they stay words of it', () => {
    expect(allows('npm run *', 'npm run test -- $X')).toBe(true);
    expect(allows('echo *', 'echo "$X"')).toBe(true);
    expect(allows('git commit:*', 'git commit -m "$X"')).toBe(true);
  });

  it('does not cover what follows, what is inside, or what is only known when it runs', () => {
    expect(allows('git log *', 'git log; ./x')).toBe(false);
    expect(allows('npm run lint *', 'npm run lint -- $(./x)')).toBe(false);
    expect(allows('echo *', '"$X" y')).toBe(false);
    expect(allows('git log *', 'git log $X')).toBe(false);
    expect(allows('npm run *', 'npm run ${X@P}')).toBe(false);
    expect(allows('cat *', 'cat `./x`')).toBe(false);
  });

  it('does not cover an option that makes a reader write or run something, unless it names it', () => {
    expect(allows('git log *', 'git log --output=a')).toBe(false);
    expect(allows('git log *', 'git log --outp=a')).toBe(false);
    expect(allows('find *', 'find . -exec rm {} +')).toBe(false);
    expect(allows('find *', 'find . -delete')).toBe(false);
    expect(allows('rg *', 'rg --pre ./x foo')).toBe(false);
    expect(allows('sort *', 'sort -o a b')).toBe(false);
    expect(allows('find . -delete', 'find . -delete')).toBe(true);
    expect(allows('sed -i *', 'sed -i s/a/b/ x')).toBe(true);
    expect(allows('git log *', 'git log --stat -3')).toBe(true);
  });
});

describe('a deny or ask rule', () => {
  it.each([
    'X=1 rm a',
    'sudo rm a',
    'env -i rm a',
    "bash -c 'rm a'",
    'ls | xargs rm',
    'find . -exec rm {} +',
    '/bin/rm a',
    'echo $(rm a)',
    'cd x && rm a',
    'f() { rm a; }',
    'rm $X',
    '\\rm a',
    'eval "rm a"',
    'timeout 5 nice rm a',
  ])('finds its command in %s', (command) => {
    expect(restricts('rm *', command)).toBe(true);
  });

  it('does not find it in a text', () => {
    expect(restricts('rm *', "echo 'rm a'")).toBe(false);
    expect(restricts('rm *', 'rmdir a')).toBe(false);
  });
});

describe('the smallest rule', () => {
  it.each(['npm run build', 'git commit -m x', 'touch a b'])('for %s allows exactly that', (command) => {
    const [part] = parts(command);
    if (part === undefined) throw new Error('nothing was read');
    expect(suggestRule(part)).toBe(`Bash(${command})`);
    expect(allows(command, command)).toBe(true);
  });

  it('is none for what destroys or is only known when it runs', () => {
    expect(parts('rm -rf /').map(suggestRule)).toEqual([null]);
    expect(parts('touch $X').map(suggestRule)).toEqual([null]);
  });
});
