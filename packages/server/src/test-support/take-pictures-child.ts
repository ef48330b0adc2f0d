// `npm run pictures`: takes the pictures of docs/ from the real app, on a world of a day's work.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildWebApp, openBrowser, visitPage } from './browser.ts';
import { goInApp } from './judge-page.ts';
import { openPictureWorld, type PictureWorld } from './picture-world.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'pictures');

type Picture = {
  readonly name: string;
  readonly path: (world: PictureWorld) => string;
  /** The last thing that has to be there. */
  readonly wait: string;
  /** What is there once Markdown is drawn, a moment after its text. */
  readonly drawn?: string;
  readonly theme?: 'dark';
  /** What is scrolled to. */
  readonly at?: string;
};

const PICTURES: ReadonlyArray<Picture> = [
  { name: 'inbox', path: ({ tasks }) => `/?item=${tasks.plan.key}.q1`, wait: 'Edit the plan', drawn: 'main td' },
  { name: 'board', path: () => '/board', wait: 'Waiting for you', theme: 'dark' },
  { name: 'task', path: ({ shown }) => `/tasks/${shown.long.key}`, wait: 'Turn 2' },
  {
    name: 'changes',
    path: ({ shown }) => `/tasks/${shown.change.key}?tab=changes`,
    wait: '0 of 4 viewed',
    at: 'src/import.js',
  },
  { name: 'pipeline', path: ({ tasks }) => `/pipelines/coding?task=${tasks.plan.key}`, wait: 'is shown on it' },
  { name: 'costs', path: () => '/costs?by=task', wait: 'By task' },
];

// The build belongs to a run: one that an earlier run left would show another app.
const own = mkdtempSync(join(tmpdir(), 'at-pictures-'));
process.env['TMPDIR'] = own;
mkdirSync(FOLDER, { recursive: true });
const world = await openPictureWorld(await buildWebApp());
const browser = await openBrowser();
try {
  const { url, app } = world.server();
  const { page } = await visitPage(browser, url, `/#key=${app.mintKey()}`, { scale: 1 });
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  for (const picture of PICTURES) await take(page, picture);
} finally {
  await browser.close();
  await world.close();
  rmSync(own, { recursive: true, force: true });
}

async function take(page: Page, { name, path, wait, drawn, theme, at }: Picture): Promise<void> {
  await page.setViewportSize({ width: 1200, height: 750 });
  await page.evaluate(`document.documentElement.dataset.theme = '${theme ?? 'light'}'`);
  await goInApp(page, path(world));
  await page.getByText(wait).first().waitFor();
  if (drawn !== undefined) await page.locator(drawn).first().waitFor();
  if (at !== undefined) await page.evaluate(`document.querySelector('[aria-label="${at}"]').scrollIntoView()`);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  process.stdout.write(`docs/pictures/${name}.png\n`);
}
