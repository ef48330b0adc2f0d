import { expect, it } from 'vitest';
import { expectedOfId, expectedOfName } from './given-names.ts';
import { expectedOfChannelName, expectedOfUserName } from './own-names.ts';

it('a name can be seen, stays on its line and leaves the text around it alone', () => {
  const fine = ['a', ' Bug Fix ', 'Ürsprünge', '修正', 'مهمة', '🚀', '👩‍💻 work', '+', 'a.b', '...', 'x'.repeat(40)];
  expect(fine.filter((name) => expectedOfName(name, 40) !== null)).toEqual([]);
  const nothing = ['', '   ', '\t', '\u00A0', '\u200B', '\u2060\uFEFF', '\u3164', '\u0301'];
  expect(nothing.map((name) => expectedOfName(name, 40))).toEqual(nothing.map(() => expect.stringMatching(/be seen/)));
  const unfit = ['a\u0000b', 'a\nb', 'a\u001B[31mb', 'a\u202Eb', 'a\u2066b', 'a\u2028b', 'a\u0085b', 'a\uD800'];
  expect(unfit.map((name) => expectedOfName(name, 40))).toEqual(unfit.map(() => expect.stringMatching(/no control/)));
  expect(['.', ' .. '].map((name) => expectedOfName(name, 40))).toEqual(['more than dots', 'more than dots']);
  expect(expectedOfName('x'.repeat(41), 40)).toBe('at most 40 characters');
});

it('an id is the same in an address, a command and the name of a file', () => {
  const fine = ['a', 'coding-auto', 'in_progress', 'V2', '7', 'newer', 'x'.repeat(64)];
  expect(fine.filter((id) => expectedOfId(id) !== null)).toEqual([]);
  const wrong = [
    '',
    ' ',
    'a b',
    '../../x',
    '.',
    '..',
    'a/b',
    'a\\b',
    '-a',
    '_a',
    'a.b',
    'a,b',
    '*',
    'ä',
    'a\n',
    '%2e',
    'x'.repeat(65),
  ];
  expect(wrong.map((id) => expectedOfId(id))).toEqual(wrong.map(() => expect.stringMatching(/^1 to 64 letters/)));
  expect([expectedOfId('new'), expectedOfId('NEW')]).toEqual([
    expect.stringMatching(/^another id/),
    expect.stringMatching(/^another id/),
  ]);
});

it('a user is named as accounts and addresses of mail are, a channel as a key of a file', () => {
  const users = ['bob', 'a.b_c@example.test', '7', 'x'.repeat(64)];
  expect(users.filter((name) => expectedOfUserName(name) !== null)).toEqual([]);
  const noUsers = ['', '.bob', '@bob', 'bob smith', 'zoë', 'Zoe', 'bob\n', 'x'.repeat(65)];
  expect(noUsers.map(expectedOfUserName)).toEqual(noUsers.map(() => expect.stringMatching(/^letters, digits, and \./)));
  const channels = ['on-call', 'Ops_2', 'x'.repeat(40)];
  expect(channels.filter((name) => expectedOfChannelName(name) !== null)).toEqual([]);
  const noChannels = ['', 'on call', 'a.b', 'ä', 'a\n', 'x'.repeat(41)];
  expect(noChannels.map(expectedOfChannelName)).toEqual(
    noChannels.map(() => expect.stringMatching(/^letters, digits, - /)),
  );
});
