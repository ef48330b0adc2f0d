import { CHANNEL_FLAGS, CHANNEL_TYPES } from '@attractor/notify/channels';
import { expect, it } from 'vitest';
import { wholeProgram } from '../main.ts';

it('every kind of channel can be added, and every flag of a kind is there', async () => {
  const channels = (await wholeProgram()).commands.find((command) => command.name() === 'channels');
  const add = channels?.commands.find((command) => command.name() === 'add');
  expect(add?.options.find(({ long }) => long === '--type')?.argChoices).toEqual(CHANNEL_TYPES);
  expect(add?.options.map(({ flags }) => flags)).toEqual(expect.arrayContaining(CHANNEL_FLAGS.map(({ flag }) => flag)));
});
