import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** `from`: the file of the app that draws it. */
type Dialog = readonly [path: string, open: () => Promise<void>, title: RegExp, from: string];

const APP = join(import.meta.dirname, '..', '..', '..', 'web', 'src');

/** Every file that draws a dialog, but the parts that all of them are made of and the page that shows these. */
function dialogsInCode(): ReadonlyArray<string> {
  const files = globSync('**/*.tsx', { cwd: APP, exclude: ['ui/**', 'places/design/**'] });
  return files.filter((file) => /<(?:Overlay|Confirm|dialog)\b/.test(readFileSync(join(APP, file), 'utf8'))).toSorted();
}

/** Every dialog of the app, where it is opened and how, with the keyboard alone. */
export function everyDialog(page: Page, taskKey: string): ReadonlyArray<Dialog> {
  const [task, more] = [`/tasks/${taskKey}`, `More for ${taskKey}`];
  const fromMenu = (menu: string, item: string) => async () => {
    await page.getByRole('button', { name: menu }).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
  };
  const byButton = (name: string) => () => page.getByRole('button', { name }).press('Enter');
  const dialogs: ReadonlyArray<Dialog> = [
    ['/board', () => page.keyboard.press('Control+k'), /Search or do something/, 'shell/palette.tsx'],
    ['/board', () => page.keyboard.press('?'), /Keys/, 'shell/key-sheet.tsx'],
    ['/board', fromMenu('Views', 'Save this view'), /Save this view/, 'places/board/name-view.tsx'],
    [task, fromMenu(more, 'Model, effort, permissions'), /Runs of/, 'places/task/task-settings.tsx'],
    [task, fromMenu(more, 'Split into subtasks'), /Split/, 'places/task/task-more.tsx'],
    ['/settings?tab=users', byButton('Remove vera'), /Remove vera/, 'places/settings/users.tsx'],
    ['/settings?tab=keys', byButton('Revoke robot'), /Revoke robot/, 'places/settings/keys.tsx'],
    ['/projects?project=SLU', byButton('Remove the project'), /Remove/, 'places/projects/project-folder.tsx'],
  ];
  expect(dialogs.map(([, , , from]) => from).toSorted()).toEqual(dialogsInCode());
  return dialogs;
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
