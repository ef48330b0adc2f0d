import { expect, it } from 'vitest';
import { programOf } from './page-program.mjs';

it('takes the blocks of ts in their order, and nothing else of a page', () => {
  const page = '# A\n\n```ts\nconst a = 1;\n```\n\nWords.\n\n```sh\nrm -rf /\n```\n\n```ts\nconsole.log(a);\n```\n';
  expect(programOf(page)).toBe('const a = 1;\n\nconsole.log(a);\n');
  expect(programOf('no code')).toBe('');
});
