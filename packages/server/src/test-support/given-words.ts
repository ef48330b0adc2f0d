import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A line of cron in words, beside it as it is, and while it is written. */
export async function tellsCron(clock: Locator): Promise<void> {
  await clock.getByText('at 09:00, on weekdays 0 9 * * 1-5').waitFor();
  await clock.getByLabel('When').fill('0 9 L * *');
  await clock.getByText('Minute, hour, day, month, weekday').waitFor();
  await clock.getByLabel('When').fill('*/15 * * * *');
  await clock.getByText('every 15 minutes', { exact: true }).waitFor();
}

/** An id is part of an address: what could be none is refused beside its field, and by the server. */
export async function refusesIds(page: Page): Promise<void> {
  await page.getByLabel('Id, in addresses and commands').fill('../../own');
  await page.getByText('Expected 1 to 64 letters, digits').waitFor();
  await page.getByRole('button', { name: 'Save as a new pipeline' }).click();
  await page.getByRole('alert').getByText('$.id: expected 1 to 64 letters, digits').waitFor();
}

/** A name that nobody could see is refused beside its field, before it is sent. */
export async function refusesNames(page: Page): Promise<void> {
  const name = page.getByRole('textbox', { name: 'Name' });
  const keep = page.getByRole('dialog').getByRole('button', { name: 'Save' });
  for (const [given, said] of [
    ['\u200B', 'Expected a letter, a digit or a sign that can be seen.'],
    ['All \u202Eof', 'Expected no control characters, no line breaks'],
    ['x'.repeat(61), 'Expected at most 60 characters.'],
  ] as const) {
    await name.fill(given);
    await page.getByText(said).waitFor();
    expect([given, await keep.isDisabled(), await name.getAttribute('aria-invalid')]).toEqual([given, true, 'true']);
  }
}

/** What is wrong with the name of somebody new stands beside it: what can be known before it is sent, and what only the server says. */
export async function namesUser(page: Page, name: string): Promise<void> {
  const field = page.getByLabel('Name');
  const add = page.getByRole('button', { name: 'Let in' });
  const beside = page.locator('label').filter({ has: field });
  for (const [given, said] of [
    ['zoe smith', 'Expected letters, digits, and . _ @ - after the first'],
    ['bob', 'There is a “bob” already.'],
  ] as const) {
    await field.fill(given);
    await beside.getByRole('status').getByText(said).waitFor();
    expect([given, await add.isDisabled(), await field.getAttribute('aria-invalid')]).toEqual([given, true, 'true']);
  }
  await field.fill('owner');
  await add.click();
  await beside.getByRole('alert').getByText('whoever has the token').waitFor();
  await field.fill(name);
  await beside.getByRole('alert').waitFor({ state: 'detached' });
}

export async function namesChannel(page: Page, name: string): Promise<void> {
  const field = page.getByLabel('Name');
  await field.fill('on call');
  await page.locator('label').filter({ has: field }).getByText('Expected letters, digits, - and _').waitFor();
  await field.fill(name);
}
