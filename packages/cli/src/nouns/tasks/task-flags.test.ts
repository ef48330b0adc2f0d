import { expect, it } from 'vitest';
import { flagsFor, NEW_TASK_FLAGS, TASK_EDIT_FLAGS, TEMPLATE_FIELD_FLAGS } from './task-flags.ts';

const namesOf = (flags: typeof NEW_TASK_FLAGS) => flags.map(({ flag }) => flag.split(' ')[0]?.slice(2)).join(' ');

it('the flags of tasks and templates stand in the order of the table of fields', () => {
  expect(namesOf(NEW_TASK_FLAGS)).toBe(
    'title description pipeline priority size complexity tag plan source-url criterion parent depends-on template type',
  );
  expect(namesOf(TASK_EDIT_FLAGS)).toBe(
    'title description pipeline priority size complexity tag plan source-url parent version',
  );
  expect(namesOf(TEMPLATE_FIELD_FLAGS)).toBe('title description pipeline priority size complexity tag criterion');
});

it('a field that the table gets has a flag, with its choices, where it may be said', () => {
  const risk = {
    kind: 'choice',
    choices: ['safe', 'risky'],
    in: ['create'],
    flag: '--risk <level>',
    about: 'how risky',
  } as const;
  expect(flagsFor('create', { risk })).toEqual([
    { flag: '--risk <level>', about: 'how risky', choices: ['safe', 'risky'] },
  ]);
  expect(flagsFor('edit', { risk })).toEqual([]);
});
