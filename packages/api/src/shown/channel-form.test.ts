import { expect, it } from 'vitest';
import { channelBody, isMissingIn } from './channel-form.ts';

const WEBHOOK = {
  type: 'webhook',
  name: 'webhook',
  fields: [
    { field: 'url', label: 'Address' },
    { field: 'secret', label: 'Secret', isSecret: true, isOptional: true },
  ],
} as const;

it('sends the fields of the kind and leaves out what is empty or another kind’s', () => {
  const values = { url: ' https://example.test/hook ', secret: '', token: 'of another kind' };
  expect(channelBody(WEBHOOK, ' hook ', values)).toEqual({
    name: 'hook',
    channel: { type: 'webhook', url: 'https://example.test/hook' },
  });
});

it('waits for a name and for every field that is needed', () => {
  expect(isMissingIn(WEBHOOK, 'hook', { url: 'https://example.test' })).toBe(false);
  expect(isMissingIn(WEBHOOK, ' ', { url: 'https://example.test' })).toBe(true);
  expect(isMissingIn(WEBHOOK, 'hook', { secret: 'x' })).toBe(true);
});
