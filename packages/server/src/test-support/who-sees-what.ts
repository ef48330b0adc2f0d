import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { goInApp } from './judge-page.ts';

type Sight = readonly [path: string, shown: (page: Page) => Locator, absent: ReadonlyArray<(page: Page) => Locator>];

const button = (name: string | RegExp) => (page: Page) => page.locator('main').getByRole('button', { name });
const text = (words: string | RegExp) => (page: Page) => page.locator('main').getByText(words).first();
const field = (name: string) => (page: Page) => page.locator('main').getByLabel(name);
const link = (name: string) => (page: Page) => page.locator('main').getByRole('link', { name, exact: true });

/** Operators run tasks; what all share is set by admins. The server refuses the same: `route-matrix.test.ts`. */
export function operatorSees(page: Page, reviewed: string): Promise<void> {
  return expectSights(page, [
    ['/projects', text('Admins can add projects.'), [button('Add project'), button('Use the sample')]],
    [
      projectOf(reviewed),
      button('Add schedule'),
      [button('Remove the project'), button('Write checks'), button('Save')],
    ],
    ['/agents', button('Pause the queue'), [button('Limit'), button('Use the scripted agent')]],
    ['/pipelines/coding', text('Coding'), [button('Duplicate'), button('Edit'), button('Make default')]],
    ['/costs', button('Model'), [field('Limit in USD')]],
    ['/settings?tab=users', button('Dark'), [field('Name'), button(/^Remove/), button('Let in')]],
    ['/settings?tab=keys', button('Dark'), [button('Make a key')]],
    ['/settings?tab=server', button('Dark'), [button('Look now')]],
    ['/sessions', text('Sessions are for admins'), [field('Search everything that was said and done')]],
    ['/start', link('New task'), [button('Trust exactly this'), button('Write checks')]],
    ['/new', button('Create and start'), []],
  ]);
}

export function viewerSees(page: Page, reviewed: string): Promise<void> {
  const task = `/tasks/${reviewed}`;
  return expectSights(page, [
    [task, text('Operators and admins can answer this.'), [button('Note'), button(/^More for/)]],
    [`${task}?tab=branch`, text('Operators and admins can undo work.'), [(at) => at.getByRole('checkbox')]],
    [`${task}?tab=checks`, text('Base'), [button('Run the checks now')]],
    [`${task}?tab=artifacts`, text('Conversation'), [button('Add a link or a document'), field('Add files')]],
    ['/new', text('Operators and admins can'), [button('Create task')]],
    ['/start', text('Operators and admins can make tasks.'), [link('New task')]],
    ['/agents', text('Queue'), [button('Pause the queue'), button('Drain')]],
    [projectOf(reviewed), text('Operators and admins can make schedules.'), [button('Add schedule')]],
  ]);
}

/** The page with its project unfolded, however many there are. */
function projectOf(task: string): string {
  return `/projects?project=${task.split('-', 1).join('')}`;
}

async function expectSights(page: Page, sights: ReadonlyArray<Sight>): Promise<void> {
  const refused: string[] = [];
  page.on('response', (answer) => void (answer.status() === 403 && refused.push(answer.url())));
  for (const [path, shown, absent] of sights) {
    await goInApp(page, path);
    await shown(page).waitFor();
    for (const [at, one] of absent.entries())
      expect([path, at, await one(page).filter({ visible: true }).count()]).toEqual([path, at, 0]);
  }
  // Nothing is asked for that would be refused.
  expect(refused).toEqual([]);
}
