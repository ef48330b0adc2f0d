import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openCallback } from './callback.ts';

it('waits for the browser on loopback alone, and for the state that was given', async () => {
  const callback = await openCallback(0, { isFixed: false });
  onTestFinished(callback.close);
  const waited = callback.expect('the-state', { timeoutMs: 20_000 });
  const ask = async (query: string, path = '/callback'): Promise<number> =>
    (await fetch(`http://127.0.0.1:${callback.port}${path}?${query}`)).status;
  expect(await ask('code=evil')).toBe(400);
  expect(await ask('code=evil&state=another')).toBe(400);
  expect(await ask('code=evil&state=the-state', '/elsewhere')).toBe(400);
  expect(await ask('code=good&state=the-state')).toBe(200);
  expect((await waited).get('code')).toBe('good');
  // Every address of 127.0.0.0/8 is this machine: one that listens on all of them answers here too.
  const other = connect(callback.port, '127.0.0.2');
  const answered = await new Promise((resolve) => {
    other.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  other.destroy();
  expect(answered).toBe(false);
});
