import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { topOf } from './hands.ts';
import { goInApp } from './judge-page.ts';
import { TITLES } from './web-world.ts';

/** What stands around every place, what narrows a board, and what has just enough room. */
export async function looksAround(page: Page): Promise<void> {
  await graphFits(page);
  await waysFit(page);
  await railLeads(page);
  await boardNarrows(page);
}

/** The graph of the usual pipeline, in a small window. */
async function graphFits(page: Page): Promise<void> {
  const graph = page.getByRole('region', { name: 'Graph of Coding' });
  await page.setViewportSize({ width: 1024, height: 900 });
  await graph.getByRole('listitem', { name: /^Review: \d/ }).waitFor();
  expect(await graph.evaluate((own) => own.scrollWidth - own.clientWidth)).toBe(0);
}

/** Each way to a project in one line, in a very narrow one. */
async function waysFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 900 });
  await goInApp(page, '/projects');
  const ways = page.getByRole('group', { name: 'Where the project comes from' }).getByRole('button');
  expect(await ways.evaluateAll((all) => all.map((own) => own.getBoundingClientRect().height))).toEqual([28, 28, 28]);
  await page.setViewportSize({ width: 1280, height: 900 });
}

const PLACES = ['Board', 'Pipelines', 'Costs', 'Insights', 'Agents', 'Sessions', 'Projects', 'Settings'];

/** The project on top, then every place with what waits beside the inbox, and at the foot who is signed in. */
async function railLeads(page: Page): Promise<void> {
  const rail = page.getByRole('complementary', { name: 'Rail' });
  const links = rail.getByRole('navigation', { name: 'Places' }).getByRole('link');
  await expect
    .poll(async () => [await links.allTextContents(), /^\(\d+\)/.exec(await page.title())?.[0]])
    .toEqual([[expect.stringMatching(/^Inbox\d+ waiting for you$/), ...PLACES], expect.any(String)]);
  const [count] = /\d+/.exec(await page.title()) ?? [];
  expect(await links.first().textContent()).toBe(`Inbox${count} waiting for you`);
  const parts = [
    rail.getByTitle('Project', { exact: true }),
    links.first(),
    links.last(),
    rail.getByTitle(/^Signed in/),
  ];
  const tops = await Promise.all(parts.map(topOf));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
}

/** By how tasks stand, by their labels and by who works on them; what was chosen is in the address. */
async function boardNarrows(page: Page): Promise<void> {
  await goInApp(page, '/board?view=list');
  const line = (title: string) =>
    page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').filter({ hasText: title });
  await line(TITLES.open).waitFor();
  for (const [field, choice, address, stays] of [
    ['Standing', 'Failed', 'only=failed', TITLES.failed],
    ['Label', 'slugs', 'label=slugs', TITLES.review],
    ['Agent', 'scripted', 'agent=scripted', TITLES.merged],
  ] as const) {
    const choices = page.getByRole('combobox', { name: field });
    await choices.selectOption({ label: choice });
    await line(TITLES.open).waitFor({ state: 'detached' });
    await line(stays).waitFor();
    expect([choice, new URL(page.url()).search]).toEqual([choice, expect.stringContaining(address)]);
    await choices.selectOption({ index: 0 });
    await line(TITLES.open).waitFor();
  }
}
