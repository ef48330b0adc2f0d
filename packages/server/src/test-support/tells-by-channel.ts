import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { namesChannel } from './given-words.ts';
import { goInApp } from './judge-page.ts';

/** Under Settings: a channel is added, tried out, and takes what begins to wait. */
export async function tellsByChannel(page: Page): Promise<void> {
  const told: string[] = [];
  const listener = http.createServer((request, response) => {
    request.setEncoding('utf8').on('data', (part: string) => void told.push(part));
    request.on('end', () => response.end());
  });
  listener.listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  await goInApp(page, '/settings?tab=notifications');
  await page.getByText('Nobody is notified yet').waitFor();
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await page.getByLabel('Kind').selectOption('webhook');
  await namesChannel(page, 'on-call');
  expect(await add.isDisabled()).toBe(true);
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('no address');
  await add.click();
  await page.getByRole('alert').getByText('must be an address').waitFor();
  await address.fill(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/told`);
  await add.click();
  const channel = page.getByRole('region', { name: 'on-call' });
  await channel.getByRole('button', { name: 'Send a trial' }).click();
  await channel.getByText('Sent', { exact: true }).waitFor();
  expect(told.join('')).toContain('how the channel on-call looks');
}
