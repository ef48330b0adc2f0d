import { expect } from 'vitest';
import { buildWebApp, firstLoad, type Visit } from './browser.ts';
import { bottomOf, nearTheBottom, primaries, topOf } from './hands.ts';
import { judgePage } from './judge-page.ts';

/** Looks at the change of a review where it is asked for, from place to place by keys, and says something on a line that is gone. */
export async function reviewHere({ page, urls }: Visit): Promise<void> {
  const file = page.getByRole('region', { name: 'src/slug.js' });
  await expect.poll(() => primaries(page)).toEqual(['Review 3 files']);
  await page.getByText('You have not opened the change yet.').waitFor();
  await file.getByText("normalize('NFKD')").waitFor();
  // The words that are new are marked, and code has its colours once those are loaded.
  expect((await file.locator('mark').allTextContents()).join('')).toContain("normalize('NFKD')");
  await file.locator('.text-code-string').first().waitFor();
  await page.locator('main').focus();
  for (const key of ['f', 'n', 'n', 'n', 'p']) await page.keyboard.press(key);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  expect(await focused()).toContain('Slugs');
  await page.getByText('3 not viewed yet').waitFor();
  expect(await primaries(page)).toEqual(['Approve']);
  await page.keyboard.press('e');
  await page.keyboard.type('Almost.');
  await file.getByRole('button', { name: 'Comment on removed line 2' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Comment on removed line 2').last().fill('This was enough.');
  urls.length = 0;
  await page.reload();
  await expect.poll(() => page.getByLabel('Comment on removed line 2').last().inputValue()).toBe('This was enough.');
  expect(await firstLoad(urls, await buildWebApp())).toBeLessThan(150_000);
  expect(await judgePage(page, { isFirst: false })).toEqual([]);
  await page.getByRole('button', { name: 'Add comment' }).click();
  expect(await primaries(page)).toEqual(['Ask for changes']);
  await page.locator('main').focus();
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Next change').waitFor();
  await page.keyboard.press('Escape');
}

/** Goes on with the same review where both sides of the change stand beside each other, and says something on a line as it is. */
export async function reviewOnItsPage({ page }: Visit): Promise<void> {
  const file = page.getByRole('region', { name: 'src/slug.js' });
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await page.getByRole('region', { name: 'docs/slugs.md' }).getByLabel('Viewed').check();
  await page.getByText('1 of 3 viewed').waitFor();
  // By the mouse on the line, or with the arrows from the first one.
  await file.getByRole('button', { name: 'Comment on line 1', exact: true }).focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await nearTheBottom(page, file.getByRole('button', { name: 'Comment on line 2', exact: true }).last());
  await page.keyboard.press('Enter');
  await page.getByLabel('Comment on line 2').last().fill('Name this step.');
  // What stands at the bottom of the window does not cover what is written.
  const [form, bar] = [
    page.getByRole('button', { name: 'Add comment' }),
    page.getByRole('region', { name: 'Your review' }),
  ];
  expect(await bottomOf(form)).toBeLessThan(await topOf(bar));
  await form.click();
  await page.getByLabel('Your review, with 2 comments on lines').waitFor();
  expect(await primaries(page)).toEqual(['Ask for changes']);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.reload();
  await file.getByText('Name this step.').waitFor();
  await page.getByText('1 of 3 viewed').waitFor();
  expect(await page.locator('main').locator('script, img, iframe').count()).toBe(0);
}
