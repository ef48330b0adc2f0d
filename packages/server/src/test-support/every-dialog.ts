import type { Page } from 'playwright-core';

type Dialog = readonly [path: string, open: () => Promise<void>, title: RegExp];

/** Every dialog of the app, where it is opened and how, with the keyboard alone. */
export function everyDialog(page: Page, taskKey: string): ReadonlyArray<Dialog> {
  const [task, more] = [`/tasks/${taskKey}`, `More for ${taskKey}`];
  const fromMenu = (menu: string, item: string) => async () => {
    await page.getByRole('button', { name: menu }).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  const byButton = (name: string) => () => page.getByRole('button', { name }).press('Enter');
  return [
    ['/board', () => page.keyboard.press('Control+k'), /Search or do something/],
    ['/board', () => page.keyboard.press('?'), /Keys/],
    ['/board', fromMenu('Views', 'Save this view'), /Save this view/],
    [task, fromMenu(more, 'Model, effort, permissions'), /Runs of/],
    [task, fromMenu(more, 'Split into subtasks'), /Split/],
    ['/settings?tab=users', byButton('Remove vera'), /Remove vera/],
    ['/settings?tab=keys', byButton('Revoke robot'), /Revoke robot/],
    ['/projects?project=SLU', byButton('Remove the project'), /Remove/],
  ];
}

/** What its field has of letters that are typed at once, where the palette is longer than the window. */
export async function lettersInPalette(page: Page, letters: string): Promise<string> {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.getByRole('button', { name: 'Search or do something' }).click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.type(letters);
  const written = await page.getByRole('combobox', { name: 'Search or do something' }).inputValue();
  await page.keyboard.press('Escape');
  return written;
}
