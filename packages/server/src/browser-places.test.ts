import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWebApp, openBrowser, type Visit, visitPage } from './test-support/browser.ts';
import {
  bottomOf,
  chooseProject,
  DROP,
  dragged,
  held,
  movedByKeys,
  NEXT,
  placesCards,
  PASTE,
  primaries,
  topOf,
  whileAnswering,
} from './test-support/hands.ts';
import { everyDialog, lettersInPalette } from './test-support/every-dialog.ts';
import { looksAround } from './test-support/looks-around.ts';
import { refusesIds, refusesNames, tellsCron } from './test-support/given-words.ts';
import { operatorSees, viewerSees } from './test-support/who-sees-what.ts';
import { allPlaces, goInApp, judgePage, nameless, smallTargets, violations } from './test-support/judge-page.ts';
import { reviewHere, reviewOnItsPage } from './test-support/review-here.ts';
import { newRepository } from './test-support/real-world.ts';
import { must, NOT_LIKE_THIS, openWebWorld, TITLES, type WebWorld } from './test-support/web-world.ts';

/** One server, one browser and one person's day: each test goes on where the one before left off. */
let world: WebWorld;
let browser: Browser;
let visit: Visit;

beforeAll(async () => {
  world = await openWebWorld(await buildWebApp());
  browser = await openBrowser();
  visit = await signedIn('/');
});

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const client = () => world.server().client;
const signedIn = (path: string) =>
  visitPage(browser, world.server().url, `${path}#key=${world.server().app.mintKey()}`);

/** What the browser complained about, besides calls that the server refused: the page says those itself. */
// The page may look for the stream while the server is restarted.
const EXPECTED = /status of (?:400|409)|ERR_CONNECTION_REFUSED \S+\/api\/events/;
const unexpected = ({ problems }: Visit) => problems.filter((text) => !EXPECTED.test(text));

const answerOf = async (key: string) => must(await client().prompts.get(key)).answer;

describe('the web app on a real server', () => {
  it('has one main button for every state of a task; its card says how it stands, and since when', async () => {
    const { page } = visit;
    for (const [name, wanted] of Object.entries(NEXT) as ReadonlyArray<[keyof typeof NEXT, ReadonlyArray<string>]>) {
      await goInApp(page, `/tasks/${world.tasks[name].key}`);
      await page.getByRole('button', { name: /^More for/ }).waitFor();
      await expect.poll(async () => [name, ...(await primaries(page))]).toEqual([name, ...wanted]);
    }
    await goInApp(page, '/board');
    const card = (name: keyof typeof NEXT) => page.getByRole('article', { name: world.tasks[name].key, exact: true });
    await card('plan').getByText('Waiting for you: approve the plan').waitFor();
    await card('plan')
      .getByText(/^asked /)
      .waitFor();
    await card('working').getByText('Run agent').waitFor();
    await goInApp(page, '/');
    expect(unexpected(visit)).toEqual([]);
  });

  it('answers everything that waits from the inbox, with the keyboard, and the next one comes by itself', async () => {
    const { page } = visit;
    await page.getByRole('region', { name: 'Questions' }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Inbox/);
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^\/waiting\/\w+\.svg$/);
    const marked = () => page.locator('[data-shown="true"]').textContent();
    const first = await marked();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await expect.poll(marked).not.toBe(first);
    await page.keyboard.press('k');
    await expect.poll(marked).toBe(first);
    await page.getByRole('button', { name: new RegExp(TITLES.question) }).click();
    await page.getByRole('button', { name: 'ISO' }).click();
    await page.getByRole('group', { name: 'Keep the old files?' }).getByRole('button', { name: 'no' }).click();
    await page.getByRole('button', { name: /^UTC/ }).click();
    await page.reload();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('UTC');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await expect
      .poll(() => answerOf(`${world.tasks.question.key}.q1`))
      .toMatchObject({
        answers: [
          { questionId: 'format', answer: 'ISO' },
          { questionId: 'zone', answer: 'UTC' },
          { questionId: 'keep', answer: 'no' },
        ],
      });
    await page.getByRole('heading', { name: TITLES.question }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: new RegExp(TITLES.options) }).click();
    expect(await page.getByRole('radio', { name: /On disk/ }).isChecked()).toBe(true);
    await page.locator('main').focus();
    // Whoever goes elsewhere while the answer is on its way is not called back to the next one.
    await whileAnswering(page, '/agents', () => page.keyboard.press('a'));
    await goInApp(page, '/');
    await expect
      .poll(() => answerOf(`${world.tasks.options.key}.q1`))
      .toMatchObject({
        answers: [{ questionId: 'option', answer: 'disk' }],
      });

    await page.getByRole('button', { name: new RegExp(TITLES.plan) }).click();
    await page.getByRole('heading', { name: TITLES.plan }).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('e');
    await page.getByLabel('The plan').fill('Only the log.');
    const chooseTool = () => page.getByRole('button', { name: new RegExp(TITLES.tool) }).click();
    await whileAnswering(page, chooseTool, () => page.getByRole('button', { name: 'Approve the edited plan' }).click());
    await expect.poll(() => answerOf(`${world.tasks.plan.key}.q1`)).toMatchObject({ plan: 'Only the log.' });
    await page.getByRole('article').getByText('rm -rf /tmp/bench').waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('r');
    await page.keyboard.type('Not on this machine');
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect
      .poll(() => answerOf(`${world.tasks.tool.key}.q1`))
      .toMatchObject({
        decision: 'reject',
        message: 'Not on this machine',
      });
    expect(unexpected(visit)).toEqual([]);
  });

  it('splits a task into what a person made of the proposal', async () => {
    const { page } = visit;
    await goInApp(page, `/tasks/${world.tasks.split.key}`);
    await page.getByRole('button', { name: 'Edit the parts' }).click();
    await page.getByRole('group', { name: 'Part 2' }).getByLabel('Title').fill('Move the page by hand');
    await page.getByRole('button', { name: 'Add a part' }).click();
    await page.getByRole('group', { name: 'Part 3' }).getByLabel('Title').fill('Redirect the old address');
    await page.getByRole('group', { name: 'Part 3' }).getByLabel('After these parts').fill('page');
    await page.getByRole('button', { name: 'Split it into these 3' }).click();
    await page.getByRole('region', { name: 'Waiting for you' }).waitFor({ state: 'detached' });
    const split = must(await client().tasks.split(world.tasks.split.id));
    expect(split?.subtasks.map(({ title }) => title)).toEqual([
      'Move the form',
      'Move the page by hand',
      'Redirect the old address',
    ]);
    expect(unexpected(visit)).toEqual([]);
  });

  it('reviews a change line by line: comments become one request for changes, criteria are accepted', async () => {
    const { page } = visit;
    await goInApp(page, `/tasks/${world.tasks.review.key}`);
    await page.getByRole('button', { name: 'Accept criterion 1' }).click();
    await page.getByRole('button', { name: 'Take back criterion 1' }).waitFor();
    // The inbox has all of it: the change, the keys, the words on a line as it was.
    await goInApp(page, '/');
    await page.getByRole('button', { name: new RegExp(TITLES.review) }).click();
    await reviewHere(visit);
    await page.getByRole('link', { name: 'Open on its own page' }).click();
    await reviewOnItsPage(visit);
    await page.getByRole('button', { name: 'Ask for changes' }).click();
    const comments = [
      'src/slug.js:2 (as it was before the change): This was enough.',
      'src/slug.js:2: Name this step.',
    ];
    await expect
      .poll(() => answerOf(`${world.tasks.review.key}.q1`))
      .toMatchObject({ decision: 'changes', message: ['Almost.', ...comments].join('\n\n') });
    expect(await page.evaluate('Object.keys(localStorage).filter((name) => name.endsWith(".comments"))')).toEqual([]);
    expect(unexpected(visit)).toEqual([]);
  });

  it('moves cards by the menu and by dragging; a closed way says why, a taken one can be taken back', async () => {
    const { page } = visit;
    // Wide enough that no column is at the edge, under which the board would scroll.
    await page.setViewportSize({ width: 1920, height: 900 });
    await goInApp(page, '/board');
    await page.getByLabel('Filter').fill('zzzz');
    await page.getByText('No task matches').waitFor();
    await page.getByRole('link', { name: 'Show all of them' }).click();
    const card = page.getByRole('article', { name: world.tasks.open.key, exact: true });
    expect((await card.boundingBox())?.width).toBe(280);
    const done = page.getByRole('article', { name: world.tasks.merged.key, exact: true });
    expect(await done.textContent()).toMatch(/^SLU-\d+scripted.*Merged\+1 −0\$0\.01/);
    await card.getByRole('button', { name: `Move ${world.tasks.open.key}` }).click();
    await page.getByRole('menuitem', { name: /Done/ }).getByText('No transition leads there from here.').waitFor();
    // What can be done stands before what can not.
    const isClosed = await page
      .getByRole('menuitem')
      .evaluateAll((all) => all.map((one) => one.ariaDisabled === 'true'));
    expect(isClosed).toEqual(isClosed.toSorted());
    // A reason is said once for all that it closes.
    expect(await page.getByRole('menuitem').getByText('No transition leads there').count()).toBe(1);
    await page.getByRole('menuitem', { name: 'Cancelled' }).click();
    const undo = await held(page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('region', { name: 'Cancelled' }).getByRole('link', { name: TITLES.open }).waitFor();
    await undo.click();
    await page.getByRole('region', { name: 'Open' }).getByRole('link', { name: TITLES.open }).waitFor();
    // Cards may move by themselves while one is dragged: a person would take it again.
    await expect
      .poll(() => dragged(card, page.getByRole('region', { name: 'Plan review' })))
      .toContain('was not moved: no transition leads from “Open” to “Plan review”. From there it can go to ');
    await page.getByRole('region', { name: 'Open' }).getByRole('link', { name: TITLES.open }).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tasks\/SLU-/);
    const first = page.url();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/board$/);
    for (const key of ['j', 'l', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL((url) => url.pathname.startsWith('/tasks/SLU-') && String(url) !== first);
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/board$/);
    for (const key of ['j', 'l', 'h', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(first);
    await placesCards(page);
    await goInApp(page, `/board?text=${encodeURIComponent(TITLES.open)}`);
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await movedByKeys(page, 'Cancelled');
    const again = await held(page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('region', { name: 'Cancelled' }).getByRole('link', { name: TITLES.open }).waitFor();
    await again.click();
    await page.getByRole('region', { name: 'Open' }).getByRole('link', { name: TITLES.open }).waitFor();
    for (const key of ['g', 'p']) await page.keyboard.press(key);
    await page.waitForURL(/\/pipelines$/);
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search or do something' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 900 });
    await goInApp(page, `/tasks/${world.tasks.open.key}?tab=past`);
    await page
      .getByText(/: Open → Cancelled$/)
      .first()
      .waitFor();
    await page
      .getByText(/^Reopened: Cancelled → Open$/)
      .first()
      .waitFor();
    expect(unexpected(visit)).toEqual([]);
  });

  it('calls no task completed because its last run is, while nothing is known of the task yet', async () => {
    const { page } = visit;
    const { key } = world.tasks.merged;
    const isAsked = Promise.withResolvers<void>();
    await page.route('**/api/tasks/states*', (route) => isAsked.promise.then(() => route.continue()));
    await page.reload();
    for (const [path, role] of [
      ['/board?view=list', 'listitem'],
      ['/board', 'article'],
    ] as const) {
      await goInApp(page, path);
      const shown = page.getByRole(role).filter({ hasText: key }).filter({ hasText: TITLES.merged });
      await shown.waitFor();
      expect([path, await shown.textContent()]).not.toEqual([path, expect.stringContaining('Completed')]);
    }
    isAsked.resolve();
    await page.getByRole('article', { name: key, exact: true }).getByText('Merged', { exact: true }).waitFor();
    await page.unroute('**/api/tasks/states*');
    expect(unexpected(visit)).toEqual([]);
  });

  it('draws a task as a row of its steps, done solid, the current one outlined, the future dashed; acts on many', async () => {
    const { page } = visit;
    await goInApp(page, '/board?view=rows');
    const borders = (status: string) =>
      page
        .getByRole('img', { name: `Status ${status}`, exact: true })
        .first()
        .evaluate((row) =>
          [...row.children].map((box) =>
            row.ownerDocument.defaultView.getComputedStyle(box).borderTop.split(' ').slice(0, 2).join(' '),
          ),
        );
    expect(await borders('Open')).toEqual(['1px solid', ...Array.from({ length: 6 }, () => '1px dashed')]);
    expect(await borders('Done')).toEqual([...Array.from({ length: 6 }, () => '0px solid'), '1px solid']);
    const select = page.getByRole('checkbox', { name: /^Select/ });
    for (const at of [0, 1]) await select.nth(at).check();
    await page.getByRole('textbox', { name: 'Label' }).fill('tidy');
    await page.getByRole('button', { name: 'Set label' }).click();
    const labelled = async () => must(await client().tasks.list({})).filter(({ tags }) => tags.includes('tidy')).length;
    await expect.poll(labelled).toBe(2);
    for (const at of [0, 1]) await select.nth(at).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    // Each for itself: one goes, the other one stays, by its key and with the reason.
    const { open, merged } = world.tasks;
    for (const { key } of [open, merged])
      await page.getByRole('checkbox', { name: new RegExp(`^Select ${key}\\b`) }).check();
    await page.getByLabel('Move to').selectOption({ label: 'Cancelled' });
    const stays = `1 moved to Cancelled; ${merged.key} was refused: no transition leads from “Done” to “Cancelled”. `;
    await page.getByText(stays).waitFor();
    await (await held(page.getByRole('button', { name: 'Undo' }))).click();
    await expect.poll(async () => must(await client().tasks.get(open.id)).status).toBe('open');
    expect(unexpected(visit)).toEqual([]);
  });

  it('leads back to where one was on a page', async () => {
    const { page } = visit;
    const { key } = world.tasks.merged;
    await page.setViewportSize({ width: 1280, height: 400 });
    await goInApp(page, '/board?view=list');
    await page.getByRole('link', { name: TITLES.merged }).first().waitFor({ state: 'attached' });
    const at = () => page.evaluate('window.scrollY');
    await page.evaluate('window.scrollTo(0, 150)');
    await expect.poll(at).toBe(150);
    await goInApp(page, `/tasks/${key}`);
    await expect.poll(at).toBe(0);
    await page.setViewportSize({ width: 1280, height: 600 });
    const rail = page.getByRole('complementary', { name: 'Rail' });
    const bar = page.locator('header').first();
    const head = page.locator('main header').first();
    await page.evaluate('window.scrollTo(0, 300)');
    await expect.poll(at).toBeGreaterThan(100);
    expect(await rail.boundingBox()).toMatchObject({ x: 0, y: 0, width: 220 });
    const facts = await page.getByRole('complementary', { name: 'About this task' }).boundingBox();
    expect(facts).toMatchObject({ x: 1280 - 24 - 320, width: 320 });
    expect([await topOf(bar), (await topOf(head)) - (await bottomOf(bar))]).toEqual([0, 0]);
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.goBack();
    await expect.poll(at).toBe(150);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('keeps a view by its name, over a reload, until it is forgotten', async () => {
    const { page } = visit;
    const menu = page.getByRole('button', { name: 'Views' });
    await goInApp(page, '/board?view=list&text=slugs');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await refusesNames(page);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('All of slugs');
    await page.keyboard.press('Enter');
    await goInApp(page, '/board');
    await page.reload();
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'All of slugs', exact: true }).click();
    await page.waitForURL(/\/board\?view=list&text=slugs$/);
    await page.getByRole('list', { name: 'Tasks' }).getByRole('link', { name: TITLES.review }).waitFor();
    expect(await page.getByLabel('Filter').inputValue()).toBe('slugs');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Forget All of slugs' }).click();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Save this view' }).waitFor();
    expect(await page.getByRole('menuitemradio').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(unexpected(visit)).toEqual([]);
  });

  it('makes a task with its criteria and starts it, steers the agent at work, stops it and lets it go on', async () => {
    const { page } = visit;
    await page.locator('main').focus();
    await page.keyboard.press('c');
    await page.getByLabel('What should change?').fill('Rewrite the tokenizer again');
    await page.getByLabel(/Acceptance criteria/).fill('It is faster');
    await page.getByLabel('Budget in USD').fill('2.50');
    await page.evaluate(PASTE);
    expect(await page.evaluate(DROP)).toEqual([true, true]);
    await page.getByRole('button', { name: 'Leave dropped.txt out' }).waitFor();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByRole('heading', { name: 'Rewrite the tokenizer again' }).waitFor();
    await page.getByText('It is faster').waitFor();
    const made = must(await client().tasks.list({})).find(({ title }) => title === 'Rewrite the tokenizer again');
    const files = async () => must(await client().attachments.list(made?.id ?? '')).map(({ name }) => name);
    await expect.poll(files).toEqual(['pasted.txt', 'dropped.txt']);
    await page.getByRole('button', { name: 'Approve plan' }).waitFor();
    await page.getByText(/ of \$2\.50$/).waitFor();
    const words = await page.getByLabel(/Message to the agent/).boundingBox();
    const sends = await page.getByRole('button', { name: 'Approve plan' }).boundingBox();
    expect((sends?.y ?? 0) - (words?.y ?? 0) - (words?.height ?? 0)).toBeLessThan(40);
    // The agent plans again, knowing why.
    await page.getByLabel(/Message to the agent/).fill(NOT_LIKE_THIS);
    await page.getByRole('button', { name: 'Ask for changes' }).click();
    await page.getByText('One step less, as you wanted.').first().waitFor();
    await page.getByRole('button', { name: 'Approve plan' }).waitFor();
    await page.getByLabel(/Message to the agent/).fill('Not this year');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText(/^Approve the plan: rejected/).waitFor();
    await page.getByText('Not this year').waitFor();
    await goInApp(page, `/tasks/${world.tasks.working.key}`);
    await page.getByLabel('Say something to the agent').fill('Keep the old name');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Keep the old name').waitFor();
    for (const next of ['Go on', null]) {
      await page.getByRole('button', { name: 'Stop the agent' }).click();
      await page.getByRole('region', { name: 'Steer the agent' }).waitFor({ state: 'detached' });
      if (next !== null) await page.getByRole('button', { name: next, exact: true }).click();
    }
    expect(must(await client().runs.list({ taskId: world.tasks.working.id })).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(unexpected(visit)).toEqual([]);
  });

  it('shows what was spent and how runs went as the platform counted them', async () => {
    const { page } = visit;
    const costs = must(await client().costs.list({ groupBy: 'project' }));
    await goInApp(page, '/costs');
    const budgets = page.getByRole('region', { name: 'Budgets' });
    await budgets.getByText(/^SLU-\d+ Rewrite the tokenizer again$/).waitFor();
    await page
      .getByText(`$${costs.total.knownCostUsd.toFixed(2)}`)
      .first()
      .waitFor();
    const days = page.getByRole('list', { name: 'Cost by day' }).getByRole('listitem');
    expect(await days.last().getAttribute('aria-label')).toContain(`$${costs.total.knownCostUsd.toFixed(2)}`);
    for (const groupBy of ['task', 'agent', 'model'] as const) {
      await goInApp(page, `/costs?by=${groupBy}`);
      const [most] = must(await client().costs.list({ groupBy })).rows;
      const bar = page
        .getByRole('list', { name: `Cost by ${groupBy}` })
        .getByRole('listitem')
        .first();
      await bar.getByText(most?.label ?? 'nothing', { exact: true }).waitFor();
      await bar.getByText(`$${most?.knownCostUsd.toFixed(2)}`).waitFor();
    }
    const stats = must(await client().costs.stats());
    await goInApp(page, '/insights');
    await page.getByText(`${stats.runs} runs`).waitFor();
    const agents = must(await client().costs.compareAgents());
    const spent = agents.reduce((sum, { spend }) => sum + spend.knownCostUsd, 0);
    expect(stats.accepted).toBe(1);
    await page
      .getByRole('definition')
      .filter({ hasText: `$${spent.toFixed(2)}` })
      .waitFor();
    expect(unexpected(visit)).toEqual([]);
  });

  it('finds a task by a few letters, lists every key, and edits a pipeline that then is used', async () => {
    const { page } = visit;
    await goInApp(page, '/pipelines/simple?mode=edit');
    const field = page.getByLabel('JSON of the pipeline');
    const text = await field.inputValue();
    await field.fill('{"name":"?","statuses":[{},{}],"transitions":[{"id":7}]}');
    await page.getByText('The fields come back').waitFor();
    await field.fill(text.replace('"initialStatus"', '"initialStatu"'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').waitFor();
    const own = JSON.parse(text);
    const { version: _, isDefault: __, ...rest } = own;
    const imported = Buffer.from(JSON.stringify({ ...rest, id: 'own', name: 'Our own way' }));
    // The same file, again after it was changed.
    for (const _ of ['first', 'again']) {
      await field.fill(text);
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'own.json', mimeType: 'application/json', buffer: imported });
      await expect.poll(() => field.inputValue()).toContain('Our own way');
    }
    await refusesIds(page);
    await page.getByLabel('Id, in addresses and commands').fill('own');
    await page.getByRole('button', { name: 'Save as a new pipeline' }).click();
    await page.getByRole('heading', { name: 'Our own way' }).waitFor();
    await page.getByRole('region', { name: 'Graph of Our own way' }).waitFor();
    // One of our own can be removed; one that comes with the product only be duplicated.
    const [remove, duplicate] = ['Remove', 'Duplicate'].map((name) => page.getByRole('button', { name, exact: true }));
    await remove?.waitFor();
    await goInApp(page, '/pipelines/simple');
    await duplicate?.waitFor();
    expect(await remove?.count()).toBe(0);
    const save = page.getByRole('link', { name: 'Export' });
    const [exported] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(JSON.parse(readFileSync(await exported.path(), 'utf8'))).toMatchObject({ id: 'simple' });
    await duplicate?.click();
    await page.getByRole('heading', { name: 'Simple copy', exact: true }).waitFor();
    // A second copy is not a new version of the first.
    await goInApp(page, '/pipelines/simple');
    await duplicate?.click();
    await page.getByRole('heading', { name: 'Simple copy 2', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save as a new version' }).waitFor();
    await goInApp(page, `/pipelines/coding?task=${world.tasks.merged.key}`);
    await looksAround(page);
    await goInApp(page, '/new');
    await page.getByLabel('What should change?').fill('Goes our own way');
    await page.getByLabel('Pipeline').selectOption({ label: 'Our own way' });
    await page.getByRole('button', { name: 'Create task' }).click();
    await page.getByRole('link', { name: 'Our own way', exact: true }).waitFor();
    // A board has the columns of the pipeline, whichever that is.
    await goInApp(page, '/board?pipeline=own');
    await page.getByRole('region', { name: 'In progress', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Plan review', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or do something' }).fill('license');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: TITLES.merged }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Board').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    expect(unexpected(visit)).toEqual([]);
  });

  it('holds two attempts against each other, and the one that a person takes is on the branch, until another is taken', async () => {
    const { page } = visit;
    const { projectId } = world.tasks.open;
    const title = `${TITLES.review}, by another way`;
    const { id, key } = must(await client().tasks.create({ projectId, title, pipelineId: 'chore' }));
    const kinds = [{ agentType: 'scripted' }, { agentType: 'second' }];
    const group = must(await client().attempts.start(id, { attempts: kinds }));
    const judged = async () => must(await client().attempts.get(group.id));
    // Whoever watches sees the result without a reload.
    await goInApp(page, `/tasks/${key}/compare`);
    await expect
      .poll(async () => (await judged()).attempts.map(({ run }) => run.status))
      .toEqual(['completed', 'completed']);
    const [wide, narrow] = group.attempts.map(({ run }) => run);
    const taken = async () => (await judged()).winnerRunId;
    const files = async () => must(await client().branches.diff(id)).files.map(({ path }) => path);
    expect([await taken(), await files()]).toEqual([narrow?.id, ['NOTES.md']]);
    const best = page.getByRole('article', { name: `Run ${narrow?.key}` });
    await best.getByText('smallest').waitFor();
    await page.getByRole('button', { name: `Take ${wide?.key} instead` }).click();
    await expect.poll(taken).toBe(wide?.id);
    expect(await files()).toContain('src/slug.js');
    await page.getByRole('button', { name: `Take ${narrow?.key} instead` }).click();
    await expect.poll(taken).toBe(narrow?.id);
    expect(await files()).toEqual(['NOTES.md']);
    expect(unexpected(visit)).toEqual([]);
  });

  it('adds a project, shows what its repository says and trusts exactly that; a conversation is forked', async () => {
    const { page } = visit;
    const path = newRepository();
    mkdirSync(join(path, '.attractor'));
    const checks = { sum: { command: 'sh sum.sh 1 2' } };
    writeFileSync(join(path, '.attractor', 'config.json'), JSON.stringify({ checks }));
    await goInApp(page, '/projects');
    await page.getByLabel(/Folder of a git repository/).fill(path);
    await page.getByRole('button', { name: 'Add project' }).click();
    const project = page.getByRole('region', { name: basename(path) });
    await project.getByRole('button', { name: 'Unfold' }).click();
    await project.getByText('None of them runs before it is trusted.').waitFor();
    await project.getByRole('button', { name: 'Trust exactly this' }).click();
    await project.getByText(/^Trusted as it is/).waitFor();
    await project.getByRole('button', { name: 'Revoke the trust' }).click();
    await project.getByRole('button', { name: 'Trust exactly this' }).waitFor();
    // What waits is counted as the inbox has it: failures and work to be looked at, too.
    const { id: slugs } = must(await client().projects.get(world.tasks.review.projectId));
    const { items } = must(await client().inbox.list({ projectId: slugs }));
    const waiting = new Set(items.map(({ task }) => task.id)).size;
    expect(waiting).toBeGreaterThan(must(await client().projects.info(slugs)).pendingPrompts);
    await page.getByRole('region', { name: 'slugs', exact: true }).getByText(`${waiting} waiting for you`).waitFor();
    await chooseProject(page, basename(path));
    await goInApp(page, '/board');
    await page.getByText('No tasks yet').waitFor();
    await page.locator('main').getByRole('link', { name: 'New task' }).waitFor();
    await chooseProject(page, 'All projects');
    await goInApp(page, '/sessions');
    await page.getByRole('link', { name: /Make the slugs safe/ }).click();
    await page.getByRole('button', { name: 'Fork after turn 1' }).click();
    await page.getByText('It shares its past with').waitFor();
    await page.getByLabel('Say something to the agent').fill('And the accents?');
    await page.getByRole('button', { name: 'Say it' }).click();
    await page.getByText('This server can’t continue conversations.').waitFor();
    expect(unexpected(visit)).toEqual([]);
  });

  it('keeps what belongs to a task: dependencies, files, links, the choices for its runs; undoes its work by step', async () => {
    const { page } = visit;
    const { id, key } = world.tasks.review;
    const { key: other } = world.tasks.open;
    await goInApp(page, `/tasks/${key}`);
    await page.getByLabel('Wait for another task').fill(other);
    await page.getByLabel('Wait for another task').press('Enter');
    await page.getByRole('button', { name: `No longer wait for ${other}` }).click();
    await (await held(page.getByRole('button', { name: 'Undo' }))).click();
    await page.getByRole('button', { name: `No longer wait for ${other}` }).waitFor();
    expect(must(await client().dependencies.list(id)).dependsOn.map((task) => task.key)).toEqual([other]);

    await page.getByRole('button', { name: `More for ${key}` }).click();
    await page.getByRole('menuitem', { name: 'Model, effort, permissions' }).click();
    await page.getByLabel('Effort').selectOption('high');
    await expect.poll(async () => must(await client().messages.settings(id)).effort).toBe('high');
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('tab', { name: /Artifacts/ }).click();
    await page.getByRole('button', { name: 'Add a link or a document' }).click();
    await page.getByLabel('Kind').selectOption('analysis');
    await page.getByLabel('Name').fill('Notes <b>on</b> slugs');
    await page.getByLabel('Text').fill('Accents are *folded*.');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Read Notes <b>on</b> slugs' }).click();
    await page.locator('em', { hasText: 'folded' }).waitFor();
    await page.getByRole('button', { name: 'Remove Notes <b>on</b> slugs' }).click();
    await page.getByRole('button', { name: 'Remove Notes <b>on</b> slugs' }).waitFor({ state: 'detached' });
    const file = { name: 'seen.txt', mimeType: 'text/plain', buffer: Buffer.from('as I saw it') };
    await page.getByLabel('Add files').setInputFiles(file);
    const link = page.getByRole('button', { name: 'Download seen.txt' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe('as I saw it');

    await page.getByRole('tab', { name: 'Branch' }).click();
    const before = must(await client().branches.changes(id)).steps.length;
    await page.getByRole('button', { name: 'Undo step 1' }).click();
    await expect.poll(async () => must(await client().branches.changes(id)).steps.length).toBe(before + 1);
    expect(must(await client().branches.diff(id)).files).toEqual([]);

    await page.getByRole('tab', { name: /Artifacts/ }).click();
    await page.getByRole('button', { name: 'Remove seen.txt' }).click();
    await link.waitFor({ state: 'detached' });
    await page.locator('main').focus();
    await page.keyboard.press('z');
    await link.waitFor();
    expect(must(await client().attachments.list(id)).map(({ name }) => name)).toEqual(['seen.txt']);
    expect(unexpected(visit)).toEqual([]);
  });

  it('makes a template and a schedule, limits an agent, shows where the time of a run went, and gives the run as a file', async () => {
    const { page } = visit;
    await goInApp(page, '/settings?tab=templates');
    await page.getByLabel('Name').fill('Tidying');
    await page.getByLabel('Description of the task').fill('Tidy up.');
    await page.getByRole('button', { name: 'Add template' }).click();
    await page.getByRole('button', { name: 'Change Tidying' }).waitFor();
    expect(must(await client().templates.get('Tidying')).fields).toMatchObject({ description: 'Tidy up.' });

    // A name can be given again at once.
    await page.getByRole('button', { name: 'Remove Tidying' }).click();
    await page.getByRole('button', { name: 'Change Tidying' }).waitFor({ state: 'detached' });
    await page.getByLabel('Name').fill('Tidying');
    await page.getByLabel('Description of the task').fill('Tidy up again.');
    await page.getByRole('button', { name: 'Add template' }).click();
    await page.getByRole('button', { name: 'Remove Tidying' }).waitFor();
    expect(must(await client().templates.get('Tidying')).fields).toMatchObject({ description: 'Tidy up again.' });
    // After ten seconds it is gone for good: the next test looks.
    await page.getByRole('button', { name: 'Remove Tidying' }).click();

    const project = must(await client().projects.get(world.tasks.review.projectId));
    await goInApp(page, `/projects?project=${project.key}`);
    const clock = page.getByRole('region', { name: 'Schedules' });
    await clock.getByLabel('Make this task on a schedule').fill('Weekly look');
    await clock.getByRole('button', { name: 'Add schedule' }).click();
    await tellsCron(clock);
    await clock.getByRole('button', { name: 'Switch Weekly look off' }).click();
    await clock.getByText('switched off').waitFor();
    expect(must(await client().schedules.list())).toMatchObject([{ name: 'Weekly look', isEnabled: false }]);
    await page.getByRole('region', { name: 'What happened' }).getByText('Weekly look').first().waitFor();

    await goInApp(page, '/agents');
    await page.getByLabel('Name').fill('scripted');
    await page.getByLabel('At most at once').fill('3');
    await page.getByRole('button', { name: 'Limit', exact: true }).click();
    await page.getByText('At most 3 at once for the agent scripted').waitFor();
    await page.getByRole('button', { name: 'Lift the limit of scripted' }).click();
    await expect.poll(async () => must(await client().queue.state()).limits).toEqual([]);

    await goInApp(page, '/settings?tab=server');
    await page.getByRole('region', { name: 'Health' }).getByText('Well: database').waitFor();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByRole('region', { name: 'Health' }).getByRole('status').waitFor();
    await page.getByRole('region', { name: 'Disk' }).getByText('Free on the disk').waitFor();
    await page
      .getByRole('region', { name: 'Who did what' })
      .getByText(/Weekly look/)
      .first()
      .waitFor();
    await goInApp(page, `/runs/${world.tasks.merged.key}.1`);
    await page.getByRole('button', { name: 'Where it went' }).click();
    await page.getByText('People').waitFor();
    const link = page.getByRole('button', { name: 'Download the run' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(statSync(await download.path()).size).toBeGreaterThan(1_000);
    expect(unexpected(visit)).toEqual([]);
  });

  it('shows no button to a viewer that would be refused, and says who may', async () => {
    await expect.poll(async () => (await client().templates.get('Tidying')).ok).toBe(false);
    must(await client().users.add({ name: 'vera', role: 'viewer' }));
    const { key } = must(await client().access.mintKey('vera'));
    const { page, context, problems } = await visitPage(
      browser,
      world.server().url,
      `/tasks/${world.tasks.failed.key}#key=${key}`,
    );
    await page.getByText('Operators and admins can take the next step.').waitFor();
    await page.getByText('Operators and admins can write notes.').waitFor();
    expect(await page.getByRole('link', { name: 'Let several agents try it' }).count()).toBe(0);
    // Where a terminal is told a command, a page leads there.
    const log = page.getByRole('link', { name: `The log of ${world.tasks.failed.key}.1` });
    expect(await log.getAttribute('href')).toBe(`/runs/${world.tasks.failed.key}.1`);
    expect(await page.getByRole('link', { name: 'New task' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sessions' }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Board' }).waitFor();
    expect(await page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await viewerSees(page, world.tasks.review.key);
    expect(problems).toEqual([]);
    await context.close();
    must(await client().users.add({ name: 'olga', role: 'operator' }));
    const by = must(await client().access.mintKey('olga')).key;
    const operator = await visitPage(browser, world.server().url, `/projects#key=${by}`);
    await operatorSees(operator.page, world.tasks.review.key);
    expect(operator.problems).toEqual([]);
    await operator.context.close();
    // Whoever may, tries again.
    await goInApp(visit.page, `/tasks/${world.tasks.failed.key}`);
    await visit.page.getByRole('button', { name: 'Plan again' }).click();
    await expect.poll(async () => must(await client().runs.list({ taskId: world.tasks.failed.id })).length).toBe(2);
  });

  it('has no violation of the rules for accessible pages, light or dark, and never scrolls sideways on a phone or at 400 %', async () => {
    // Two pages at once: while one is drawn anew, the other is judged.
    const second = await signedIn('/');
    const before = visit.problems.length;
    const found: string[] = [];
    const places = [...allPlaces(world.tasks.review.key, world.tasks.plan.key)];
    const judgeRest = async ({ page }: Visit) => {
      for (let path = places.shift(); path !== undefined; path = places.shift()) {
        await goInApp(page, path);
        found.push(...(await judgePage(page, { isFirst: path === '/' })).map((one) => `${path} ${one}`));
      }
    };
    await Promise.all([visit, second].map(judgeRest));
    expect(found).toEqual([]);
    expect([...visit.problems.slice(before), ...second.problems]).toEqual([]);
    expect([...visit.outside, ...second.outside]).toEqual([]);
    await second.context.close();
  });

  it('has controls on a phone that a finger hits, and narrows the app to a project there', async () => {
    const key = world.server().app.mintKey();
    const look = { width: 390, hasTouch: true } as const;
    const { page, context, problems } = await visitPage(browser, world.server().url, `/board#key=${key}`, look);
    const found: string[] = [];
    const task = `/tasks/${world.tasks.review.key}`;
    for (const path of [
      '/',
      '/board',
      '/board?view=list',
      '/new',
      task,
      `${task}?tab=changes`,
      '/settings?tab=users',
    ]) {
      await goInApp(page, path);
      found.push(...(await smallTargets(page)).map((one) => `${path} ${one}`));
    }
    expect(found).toEqual([]);
    await goInApp(page, '/board?view=list');
    expect(await lettersInPalette(page, 'New')).toBe('New');
    await page.getByRole('button', { name: 'Project: all' }).click();
    await page.getByRole('menuitemradio', { name: 'slugs' }).click();
    await page.getByRole('button', { name: 'Project: slugs' }).waitFor();
    // A menu keeps its distance from both edges, however long a reason in it is.
    const { projectId } = world.tasks.review;
    const before = must(
      await client().tasks.create({ projectId, title: 'Something that takes a very long time and a title of its own' }),
    );
    const after = must(await client().tasks.create({ projectId, title: 'What waits for it' }));
    must(await client().dependencies.add(after.id, before.id));
    await goInApp(page, '/board');
    for (const title of [`Move ${after.key}`, 'More places']) {
      await page.getByTitle(title, { exact: true }).click();
      if (title.startsWith('Move')) await page.getByText('It depends on').first().waitFor();
      const { x = 0, width = 0 } = (await page.getByRole('menu').boundingBox()) ?? {};
      expect([title, x >= 8, x + width <= 390 - 8]).toEqual([title, true, true]);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByTitle(`Move ${after.key}`, { exact: true }).click();
    await page.getByText('It depends on').first().waitFor();
    expect((await page.getByRole('menu').boundingBox())?.width).toBeLessThanOrEqual(360);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('has no such violation in any dialog either, and a dialog that is closed gives the focus back', async () => {
    const { page } = visit;
    must(await client().keys.add({ name: 'robot' }));
    for (const [path, open, title] of everyDialog(page, world.tasks.review.key)) {
      await goInApp(page, path);
      await page.locator('main').focus();
      await open();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      // What stands behind it was judged with its place.
      const found = [...(await violations(page, { within: 'dialog' })), ...(await nameless(page, 'dialog'))];
      await page.evaluate('document.documentElement.dataset.theme = "dark"');
      found.push(...(await violations(page, { within: 'dialog', only: 'color-contrast' })));
      await page.evaluate('document.documentElement.dataset.theme = "light"');
      expect([path, title, found]).toEqual([path, title, []]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect([title, await page.evaluate('document.activeElement === document.body')]).toEqual([title, false]);
    }
  });
});
