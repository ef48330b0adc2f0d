import { expect, it } from 'vitest';
import { judgeTaskFields } from './task-fields.ts';

it('a field that the table gets is judged by its kind', () => {
  const risk = {
    kind: 'choice',
    choices: ['safe', 'risky'],
    in: ['create'],
    flag: '--risk <level>',
    about: '',
  } as const;
  expect(judgeTaskFields({ risk: 'safe' }, { risk })).toBeNull();
  expect(judgeTaskFields({}, { risk })).toBeNull();
  expect(judgeTaskFields({ risk: 'none' }, { risk })).toMatchObject({
    ok: false,
    error: { code: 'invalid', message: 'There is no risk "none": possible are safe, risky.' },
  });
});

it('of several problems, the title is told first', () => {
  expect(judgeTaskFields({ tags: [''], title: ' ', priority: 'x' })?.error.message).toBe('A task needs a title.');
});
