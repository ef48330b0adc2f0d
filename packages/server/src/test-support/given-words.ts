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
