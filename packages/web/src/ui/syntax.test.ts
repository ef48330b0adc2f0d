import { expect, it } from 'vitest';
import { codeLines } from './syntax.ts';

const shown = (name: string, text: string) =>
  codeLines(name, text)?.map((line) =>
    line.flatMap(({ text: part, kind }) => (kind === null ? [] : [`${kind} ${part}`])),
  );

it('knows words, texts and remarks of a language by the name of the file, over several lines', () => {
  expect(shown('src/a.ts', "/* one\ntwo */\nconst a = 'b';")).toEqual([
    ['comment /* one'],
    ['comment two */'],
    expect.arrayContaining(['keyword const']),
  ]);
  expect(shown('run.py', 'return 1 # why')?.[0]).toEqual(expect.arrayContaining(['keyword return', 'comment # why']));
});

it('leaves what it does not know, and what is too long, as it is', () => {
  expect(codeLines('LICENSE', 'text')).toBeNull();
  expect(codeLines('a.js', 'x'.repeat(60_001))).toBeNull();
});

it('loses no character of a hostile text', () => {
  const text = '`${`\n</script>\u202e\r\u0000 "\\\n/* <!--';
  const lines = codeLines('a.js', text);
  expect(lines === null || lines.map((line) => line.map((token) => token.text).join('')).join('\n') === text).toBe(
    true,
  );
});
