import type { ApiClient } from '@attractor/api';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goInApp } from './judge-page.ts';
import { must } from './web-world.ts';

type Failing = { readonly client: ApiClient; readonly projectId: string; readonly idle: () => Promise<void> };

/** A run that leaves half a work behind: its page says why, leads to the log, and begins again where the work began. */
export async function triesAgain(page: Page, { client, projectId, idle }: Failing): Promise<void> {
  const task = must(await client.tasks.create({ projectId, title: 'Breaks halfway', pipelineId: 'chore' }));
  must(await client.tasks.startRun(task.id, { mode: 'implement', along: 'pipeline' }));
  await idle();
  const main = page.locator('main');
  await goInApp(page, `/runs/${task.key}.1`);
  await main.getByText('Failed: the agent failed').waitFor();
  await main.getByText('The disk was on fire.').first().waitFor();
  // One way to the log, which stands on this page.
  await main.getByText('The log below shows what it said.').waitFor();
  expect(await main.getByRole('link', { name: /^The log of/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Open log' }).click();
  await page.locator('#log:focus').getByRole('heading', { name: 'Transcript' }).waitFor();
  await page.getByRole('button', { name: 'Start, from scratch' }).click();
  await expect.poll(async () => must(await client.runs.list({ taskId: task.id })).length).toBe(2);
  await idle();
  const steps = must(await client.branches.changes(task.id)).steps.map(({ title }) => title);
  expect(steps).toContain('Undo all of it');
  // What came later is what counts: an earlier failure only says why.
  await main.getByText('The run failed').waitFor();
  expect(await page.getByRole('button', { name: /^Start/ }).count()).toBe(0);
  await goInApp(page, `/tasks/${task.key}`);
  await page.getByRole('button', { name: `More for ${task.key}` }).click();
  await page.getByRole('menuitem', { name: 'Start, from scratch' }).waitFor();
  await page.keyboard.press('Escape');
  // The same in one call, as the command line makes it.
  const undoings = async () =>
    must(await client.branches.changes(task.id)).steps.filter(({ title }) => title === 'Undo all of it').length;
  const before = await undoings();
  must(await client.tasks.startRun(task.id, { mode: 'implement', along: 'pipeline', from: 'scratch' }));
  expect(await undoings()).toBe(before + 1);
  await idle();
  must(await client.tasks.delete(task.id));
}
