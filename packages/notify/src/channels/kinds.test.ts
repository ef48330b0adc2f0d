import { expect, it } from 'vitest';
import { addressFlag } from '../channel-kind.ts';
import { readChannelSettings } from '../channel-settings.ts';
import { CHANNEL_FLAGS, CHANNEL_TYPES, createChannel, flagsOf, kindOf } from './index.ts';

it('a kind is known by its row: it is named where one is missing, and read, shown and kept by its own file', () => {
  const answer = readChannelSettings('hook', { type: 'pigeon' });
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining(CHANNEL_TYPES.join(', ')) } });
  const read = readChannelSettings('hook', { type: 'slack', url: 'https://example.test/secret' });
  if (!read.ok) throw new Error(read.error.message);
  const kind = kindOf(read.value);
  expect(kind.target(read.value)).toBe('example.test');
  expect(kind.secrets(read.value)).toEqual(['https://example.test/secret']);
  expect(createChannel(read.value, { env: {} }).type).toBe('slack');
});

it('a flag that kinds share is told once, with the names of all of them', () => {
  expect(CHANNEL_FLAGS).toEqual([
    { flag: '--url <url>', field: 'url', about: 'where a webhook or Slack is reached' },
    { flag: '--chat <id>', field: 'chatId', about: 'the chat of Telegram' },
  ]);
  const planted = ['a webhook', 'Slack', 'Matrix'].map((whose) => ({ flags: [addressFlag(whose)] }));
  expect(flagsOf(planted).map(({ about }) => about)).toEqual(['where a webhook, Slack or Matrix is reached']);
});
