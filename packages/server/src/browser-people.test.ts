import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from '@attractor/adapters';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ComposedServer, composeServer } from './compose.ts';
import { buildWebApp, openBrowser, type Visit, visitPage } from './test-support/browser.ts';
import { clonesByAddress, held, HIDE, MOTION, PUT_AWAY, tabTo, TOLD } from './test-support/hands.ts';
import { appRoutes, awayPlaces } from './test-support/every-place.ts';
import { namesUser } from './test-support/given-words.ts';
import { goInApp } from './test-support/judge-page.ts';
import { tellsByChannel } from './test-support/tells-by-channel.ts';
import { triesAgain } from './test-support/tries-again.ts';
import { type EmptyWorld, keepConversation, must, openEmptyWorld, repositoryIn } from './test-support/web-world.ts';
import { whitePicture } from './test-support/white-picture.ts';

/** A desk, a phone, and a window of 1280 px at 400 %. */
const WIDTHS = [1280, 390, 320] as const;

const SCRIPTS: ReadonlyArray<Script> = [
  ...WIDTHS.map((width) => ({
    when: { outcome: 'pr_ready', promptIncludes: `At ${width} px` },
    steps: [
      { do: 'createFile', path: `walks/${width}.txt`, content: `${width}\n` } as const,
      { do: 'outcome', outcome: 'pr_ready' } as const,
    ],
  })),
  {
    when: { outcome: 'plan_complete', promptIncludes: 'Spent' },
    steps: [
      { do: 'usage', inputTokens: 10, outputTokens: 10, costUsd: 0.02 },
      { do: 'error', message: 'All of it was spent.' },
    ],
  },
  {
    when: { outcome: 'plan_complete', promptIncludes: 'Spends' },
    steps: [{ do: 'usage', inputTokens: 10, outputTokens: 10, costUsd: 0.02 }, { do: 'hang' }],
  },
  { when: { promptIncludes: 'Hangs' }, steps: [{ do: 'hang' }] },
  {
    when: { promptIncludes: 'Breaks' },
    steps: [
      { do: 'createFile', path: 'half.txt', content: 'half\n' },
      { do: 'error', message: 'The disk was on fire.' },
    ],
  },
  {
    when: { outcome: 'plan_complete' },
    steps: [{ do: 'outcome', outcome: 'plan_complete', payload: { plan: 'One file.' } }],
  },
  {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'createFile', path: 'first.txt', content: 'first\n' },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
];

/** A server on which nothing has happened yet, and what people do from there; each test goes on where the one before left off. */
let world: EmptyWorld;
let browser: Browser;
let repository: string;
let visit: Visit;

beforeAll(async () => {
  world = await openEmptyWorld(await buildWebApp(), SCRIPTS);
  repository = repositoryIn(world.folder);
  commitIn(repository, () => {
    writeFileSync(join(repository, 'logo.png'), whitePicture(10, 10));
    writeFileSync(join(repository, 'steps.txt'), steps());
  });
  const project = must(await client().projects.create({ path: repository }));
  const task = must(await client().tasks.create({ projectId: project.id, title: 'Write the first file' }));
  must(await client().tasks.startRun(task.id, { mode: 'plan', along: 'pipeline' }));
  await world.idle();
  browser = await openBrowser();
  visit = await arrive('/', world.server().app.mintKey());
});

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const client = () => world.server().client;
const arrive = (path: string, key: string) => visitPage(browser, world.server().url, `${path}#key=${key}`);
const git = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
const isBase = (file: string) => git(repository, 'ls-tree', '-r', '--name-only', 'main').includes(file);

const theProject = async () => must(await client().projects.list())[0] ?? missingProject();

function missingProject(): never {
  throw new Error('There is no project.');
}

const LONG = 1_000;

/** A hundred lines, of which one may be another. */
function steps(other = ''): string {
  const lines = Array.from({ length: 100 }, (_, at) => `step ${at + 1}${at === 49 ? other : ''}\n`);
  return lines.join('');
}

/** No key, no program of an agent, no configuration. */
const PLAIN = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };

/** The server that `attractor serve` starts, on a new home. */
async function plainServer(): Promise<ComposedServer> {
  const home = join(world.folder, 'plain');
  mkdirSync(home, { mode: 0o700 });
  const env = { ...PLAIN, HOME: world.folder };
  const composed = await composeServer({ home, env, webRoot: await buildWebApp(), allowUnsandboxed: true });
  if (!composed.ok) throw new Error(composed.error.message);
  onTestFinished(composed.value.close);
  return composed.value;
}

function commitIn(folder: string, change: () => void): void {
  change();
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'by hand');
}

describe('people and the web app', () => {
  it('leads from an empty server without any agent to the first merge, without a terminal', async () => {
    const server = await plainServer();
    const home = join(world.folder, 'plain');
    const { page, problems } = await visitPage(browser, server.url, server.signInUrl().slice(server.url.length));
    await page.getByRole('link', { name: 'Begin' }).click();
    await page.getByLabel(/Folder of a git repository/).fill(`${home}/nowhere`);
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.getByRole('alert').getByText('nowhere').waitFor();
    await page.getByRole('button', { name: 'Clone a repository' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByLabel('Address of a git repository').fill(repository);
    await page.getByRole('button', { name: 'Clone and add' }).click();
    await page.getByRole('alert').getByText('add the folder itself').waitFor();
    await page.getByRole('button', { name: 'The sample' }).click();
    await page.getByRole('button', { name: 'Use the sample' }).click();
    await page.getByRole('heading', { name: '1. A project (done)' }).waitFor();
    await page.getByRole('button', { name: 'Trust exactly this' }).click();
    await page.getByRole('heading', { name: '2. Settings in its repository (done)' }).waitFor();
    await page.getByText('No agent is ready').waitFor();
    await page.getByText('What was searched for').click();
    await page.getByRole('list', { name: 'Agents that are not ready' }).getByText('Claude Code').first().waitFor();
    await page.getByRole('button', { name: 'Use the scripted agent' }).click();
    await page.getByRole('heading', { name: '3. An agent (done)' }).waitFor();
    await page.getByRole('region', { name: 'The first task' }).getByRole('link', { name: 'New task' }).click();
    // The sample's first task is written down already.
    await expect.poll(() => page.getByLabel('What should change?').inputValue()).toBe('Slugs must be safe in a URL');
    expect(await page.getByLabel(/^Details/).inputValue()).toContain('test/slugify.test.js');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByText('I am the scripted agent: no model').first().waitFor();
    await page.getByRole('button', { name: 'Approve plan' }).click();
    await page.getByRole('link', { name: 'Review 1 file' }).waitFor();
    await page.getByRole('tab', { name: /Checks/ }).click();
    await page.getByRole('button', { name: 'Run the checks now' }).click();
    await page.getByRole('button', { name: 'Running the checks…' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Review 1 file' }).click();
    await page.getByRole('button', { name: 'Approve and merge' }).click();
    await page
      .getByText(/^Merged/)
      .first()
      .waitFor();
    const checked = execFileSync('node', ['--test'], { cwd: join(home, 'sample'), env: PLAIN, encoding: 'utf8' });
    expect(checked).toContain('pass 3');
    await clonesByAddress(page, world.folder);
    expect(problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
    await page.context().close();
  });

  it.each(WIDTHS)('goes from a new task to its merge with the keyboard alone, %i px wide', async (width) => {
    const { page } = visit;
    await page.setViewportSize({ width, height: 900 });
    await goInApp(page, '/');
    await page.locator('main').focus();
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'What should change?' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`At ${width} px`);
    await tabTo(page, 'Create and start');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve plan' }).waitFor();
    await tabTo(page, 'Approve plan');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Review 1 file' }).waitFor();
    await page.getByText('You have not opened the change yet.').waitFor();
    await tabTo(page, 'Review 1 file');
    await page.keyboard.press('Enter');
    await page.getByText('1 not viewed yet').waitFor();
    await tabTo(page, 'Viewed');
    await page.keyboard.press('Space');
    await page.getByText('1 of 1 viewed').waitFor();
    await tabTo(page, 'Approve and merge');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Merged/)
      .first()
      .waitFor();
    expect(isBase(`walks/${width}.txt`)).toBe(true);
    // From then on it is only read: no agent would hear what is said of it.
    await page.getByText('Reopen the task to have more changed.').waitFor();
    expect(await page.getByRole('button', { name: /^(?:Comment on|Send to|Ask for)/ }).count()).toBe(0);
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('two people at once: who was faster is named, and what the other one wrote is kept', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1280, height: 900 });
    must(await client().users.add({ name: 'bob', role: 'operator' }));
    const bob = await arrive('/', must(await client().access.mintKey('bob')).key);
    const task = must(await client().tasks.list({})).find(({ title }) => title === 'Write the first file');
    await goInApp(page, `/tasks/${task?.key}`);
    await page.getByLabel(/Message to the agent/).fill('Two files, please');
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await page.getByLabel('The plan').fill('Two files, not one.');
    await bob.page.getByRole('button', { name: 'Approve plan' }).click();
    const meanwhile = page.getByRole('region', { name: 'Answered meanwhile' });
    await meanwhile.getByText('bob has already answered “Approve the plan”.').waitFor();
    await meanwhile.getByText('Two files, please').and(meanwhile.getByText('Two files, not one.')).waitFor();
    await page.getByText('Approve the plan: approved by bob').waitFor();
    await meanwhile.getByRole('button', { name: 'Discard' }).click();
    await meanwhile.waitFor({ state: 'detached' });
    // Each sees what the other one does, without a reload.
    await bob.page.getByText('Review the change').first().waitFor();
    await page.getByLabel('Note on this task').fill('I look at it today');
    await page.getByRole('button', { name: 'Add note' }).click();
    await goInApp(bob.page, `/tasks/${task?.key}`);
    await bob.page.getByText('I look at it today').waitFor();
    await bob.page.getByText('owner noted').waitFor();
    // One deletes what the other one looks at.
    const gone = must(await client().tasks.create({ projectId: task?.projectId ?? '', title: 'Here for a moment' }));
    await goInApp(bob.page, `/tasks/${gone.key}`);
    await bob.page.getByLabel('Note on this task').fill('Half a thought');
    must(await client().tasks.delete(gone.id));
    await bob.page.getByRole('status').getByText('owner has deleted it', { exact: true }).waitFor();
    await bob.page.getByRole('heading', { name: `${gone.key} Here for a moment` }).waitFor();
    await bob.page.getByRole('region', { name: 'What you wrote' }).getByText('Half a thought').waitFor();
    await bob.page.getByRole('link', { name: 'Open the board' }).click();
    await bob.page.getByRole('heading', { name: 'Board' }).waitFor();
    // What was asked about it meanwhile is not there any more.
    expect(bob.problems.filter((text) => !/status of 404/.test(text))).toEqual([]);
    await bob.context.close();
  });

  it('shows a moved file as one file, a picture as it was and as it is, and what nothing changed where it is wanted', async () => {
    const { page } = visit;
    const task = must(await client().tasks.list({})).find(({ title }) => title === 'Write the first file');
    const folder = join(world.folder, 'by-hand');
    git(
      repository,
      'worktree',
      'add',
      '--quiet',
      '--force',
      folder,
      must(await client().branches.state(task?.id ?? '')).branch,
    );
    // Whoever has seen a file has seen it as it was.
    const viewed = page.getByRole('region', { name: 'first.txt' }).getByLabel('Viewed');
    await goInApp(page, `/tasks/${task?.key}?tab=changes`);
    await viewed.check();
    await page.getByText('1 of 1 viewed').waitFor();
    commitIn(folder, () => {
      writeFileSync(join(folder, 'first.txt'), 'first, changed\n');
      writeFileSync(join(folder, 'logo.png'), whitePicture(30, 20));
      writeFileSync(join(folder, 'long.txt'), 'line\n'.repeat(LONG));
      writeFileSync(join(folder, 'steps.txt'), steps(', changed'));
      git(folder, 'mv', 'src/slug.js', 'src/slugs.js');
    });
    await page.reload();
    await page.getByText('0 of 5 viewed').waitFor();
    expect(await viewed.isChecked()).toBe(false);
    await page.getByRole('img', { name: 'logo.png before the change, 10 × 10' }).waitFor();
    await page.getByRole('img', { name: 'logo.png after the change, 30 × 20' }).waitFor();
    await page.getByRole('region', { name: 'src/slugs.js' }).getByText('src/slug.js → src/slugs.js').waitFor();
    await page.getByText('It was only moved.').waitFor();
    const tree = page.getByRole('navigation', { name: 'Changed files' });
    expect(await tree.getByRole('link').allTextContents()).toEqual([
      'first.txt+1−0',
      'logo.png+0−0',
      `long.txt+${LONG}−0`,
      'steps.txt+1−1',
      'slugs.js+0−0',
    ]);
    // A long file is drawn when somebody wants to see it.
    const long = page.getByRole('region', { name: 'long.txt' });
    expect(await long.getByText('line', { exact: true }).count()).toBe(0);
    await long.getByRole('button', { name: 'Show 1,000 lines' }).click();
    // A new file has no heads between its lines.
    await expect.poll(() => long.locator('tr').count()).toBe(LONG);
    // Whoever has seen a picture has not seen the next one; lines of another commit do not get among those of this one.
    const file = page.getByRole('region', { name: 'steps.txt' });
    const ways = () =>
      file.getByRole('button', { name: /^Show line/ }).evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    expect(await ways()).toEqual(['Show lines 27 to 46', 'Show lines 54 to 73']);
    await page.getByRole('region', { name: 'logo.png' }).getByLabel('Viewed').check();
    await page.getByText('1 of 5 viewed').waitFor();
    commitIn(folder, () => writeFileSync(join(folder, 'logo.png'), whitePicture(20, 20)));
    const above = file.getByRole('button', { name: 'Show lines 27 to 46' });
    await above.press('Enter');
    await page.getByText('0 of 5 viewed').waitFor();
    expect(await file.getByText('step 46', { exact: true }).count()).toBe(0);
    await above.press('Enter');
    await file.getByText('step 27', { exact: true }).waitFor();
    // The focus stays on the rest of the fold, goes on to the next one, and is in the file once there is none.
    const focused = () => page.evaluate<string | null>('document.activeElement.ariaLabel');
    await expect.poll(focused).toBe('Show lines 1 to 26');
    await page.keyboard.press('Enter');
    await file.getByText('step 1', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Show lines 54 to 73');
    await page.keyboard.press('Enter');
    // Only now is it known where the file ends.
    await expect.poll(focused).toBe('Show lines 74 to 100');
    await page.keyboard.press('Enter');
    await file.getByText('step 100', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Change of steps.txt');
    expect(await ways()).toEqual([]);
    await file.getByRole('button', { name: 'Comment on line 80', exact: true }).press('Enter');
    await page.getByLabel('Comment on line 80', { exact: true }).last().fill('Is this one needed?');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.reload();
    await file.getByText('On line 80: Is this one needed?').waitFor();
    await file.getByText('1 comment', { exact: true }).waitFor();
    await file.getByRole('button', { name: 'Take back' }).click();
    await page.getByLabel('Your review', { exact: true }).last().waitFor();
    expect(visit.outside).toEqual([]);
  });

  it('deletes at once and can take it back; leaving sends it, a refusal brings it back with the reason', async () => {
    const { page } = visit;
    const { id: projectId } = await theProject();
    const make = async (title: string) => must(await client().tasks.create({ projectId, title }));
    const { id, key, title } = await make('Deleted and brought back');
    const isKept = async () => (await client().tasks.get(id)).ok;
    const card = page.getByRole('article', { name: key, exact: true });
    const remove = async () => {
      await goInApp(page, `/tasks/${key}`);
      await page.getByRole('button', { name: `More for ${key}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.waitForURL(/\/board$/);
      await page.getByText(`${key} deleted`).last().waitFor();
    };
    await remove();
    await card.waitFor({ state: 'detached' });
    expect([await isKept(), await page.getByRole('dialog').count()]).toEqual([true, 0]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await card.waitFor();
    // The page of the task says so, too.
    await remove();
    await page.goBack();
    await page.getByRole('button', { name: 'Bring it back' }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByText(`${key} deleted`).count()).toBe(0);
    // The server refuses.
    const refusal = { error: { code: 'conflict', message: 'Its agent does not stop.' } };
    await page.route(`**/api/tasks/${id}`, (route) => route.fulfill({ status: 409, json: refusal }));
    await remove();
    await page.evaluate(PUT_AWAY);
    await page.getByText(`Not done: ${key} deleted. Its agent does not stop.`).waitFor();
    await card.waitFor();
    await page.unroute(`**/api/tasks/${id}`);
    // Somebody else is faster: nothing is left to say.
    const twice = await make('Deleted twice');
    await goInApp(page, '/board?view=list');
    await page.getByRole('checkbox', { name: new RegExp(`^Select ${twice.key}`) }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${twice.key} deleted`).waitFor();
    must(await client().tasks.delete(twice.id));
    await remove();
    expect(await isKept()).toBe(true);
    await page.reload();
    await expect.poll(isKept).toBe(false);
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    expect(await page.getByText('Not done').count()).toBe(0);
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('has budgets, pauses and missing keys in the inbox, each with its next step; says what begins to wait, in the page and through the browser', async () => {
    const { page, context } = visit;
    const { id: projectId } = await theProject();
    const make = async (title: string) => must(await client().tasks.create({ projectId, title }));
    const start = async ({ id }: { readonly id: string }, agentType = 'scripted') =>
      must(await client().tasks.startRun(id, { mode: 'plan', along: 'pipeline', overrides: { agentType } }));
    const [asked, spent, paused, keyless] = await Promise.all(['Spends', 'Spent', 'Paused', 'Keyless'].map(make));
    if (asked === undefined || spent === undefined || paused === undefined || keyless === undefined) throw new Error();
    await start(spent);
    await world.idle();
    const limit = { scope: 'task', limitUsd: 0.01 } as const;
    must(await client().budgets.set({ ...limit, subjectId: asked.id, whenReached: 'ask' }));
    await goInApp(page, '/');
    // What waited before is known by now: it is not told together with what comes.
    await page.getByRole('button', { name: /Spent/ }).first().waitFor();
    const other = await context.newPage();
    await other.addInitScript(TOLD);
    await other.goto(`${world.server().url}/board`);
    await other.getByRole('heading', { name: 'Board' }).waitFor();
    await other.getByText('Live', { exact: true }).waitFor();
    await other.evaluate(HIDE);
    await start(asked);
    // Who hears the page, and who looks at another one.
    const news = page.getByRole('status', { name: 'News' }).getByText(/(waits|more wait) for you:/);
    await news.filter({ hasText: asked.key }).waitFor();
    await expect
      .poll(() => other.evaluate('window.told'))
      .toEqual([[`${asked.key} Spends`, expect.stringContaining('budget')]]);
    await other.evaluate('window.lastTold.dispatchEvent(new Event("click"))');
    await other.waitForURL(`${world.server().url}/?item=${asked.key}.q1`);
    await other.getByRole('article', { name: 'Spends' }).waitFor();
    await other.evaluate('Notification.permission = "denied"');
    const entry = (name: string) => page.getByRole('button', { name: new RegExp(name) });
    const isIn = (group: string, name: string) =>
      page
        .getByRole('region', { name: group })
        .getByRole('button', { name: new RegExp(name) })
        .waitFor();

    // Whoever may only look sees the same, and who may answer.
    must(await client().users.add({ name: 'vic', role: 'viewer' }));
    const vic = await arrive(`/?item=${asked.key}.q1`, must(await client().access.mintKey('vic')).key);
    const shown = vic.page.getByRole('article', { name: 'Spends' });
    await shown.getByText('Operators and admins can answer').waitFor();
    expect(await shown.locator('button:enabled:visible').count()).toBe(0);
    await vic.page.getByRole('button', { name: /Spent/ }).click();
    await vic.page.getByRole('article', { name: 'Spent' }).getByText('Operators and admins can').waitFor();
    expect(await vic.page.getByRole('article', { name: 'Spent' }).locator('button:enabled:visible').count()).toBe(0);
    await goInApp(vic.page, '/?item=NO-1.q1');
    await vic.page.getByText('NO-1.q1 no longer waits for you').waitFor();
    expect([await vic.page.getByRole('article').count(), vic.problems]).toEqual([0, []]);
    await vic.context.close();

    await isIn('Budgets', 'Spends');
    await entry('Spends').click();
    await page.getByRole('button', { name: /^Go on with \$/ }).click();
    await expect
      .poll(async () => must(await client().prompts.get(`${asked.key}.q1`)).answer)
      .toMatchObject({ decision: 'approve' });

    await start(keyless, 'keyless');
    await isIn('Failed', 'Keyless');
    await entry('Keyless').click();
    await page.getByText('Failed: no valid key').first().waitFor();
    await page.getByRole('link', { name: 'See what is missing' }).waitFor();
    await page.getByRole('button', { name: /again/i }).first().waitFor();

    // What was spent before counts.
    must(await client().budgets.set({ ...limit, subjectId: spent.id, whenReached: 'stop' }));
    await start(spent);
    await isIn('Held back', 'Spent');
    await entry('Spent').click();
    await page.getByText('the budget is reached').first().waitFor();
    await page.getByRole('link', { name: 'See and raise the budgets' }).waitFor();

    must(await client().queue.pause({ projectId }));
    await start(paused);
    await isIn('Held back', 'Paused');
    // Nobody works on those two.
    await goInApp(page, '/projects');
    await page.getByText('1 running').and(page.locator('.text-work')).waitFor();
    await page.getByText('2 queued').waitFor();
    await goInApp(page, '/');
    await entry('Paused').click();
    await page.getByText('queue is paused').first().waitFor();
    await page.getByRole('button', { name: 'Resume the queue' }).click();
    await expect.poll(async () => must(await client().queue.state({ projectId })).isPaused).toBe(false);
    // Not allowed: nothing was told since.
    expect(await other.evaluate('window.told.length')).toBe(1);
    for (const [permission, words] of [
      ['denied', 'This browser blocks them'],
      ['granted', 'On: you are told'],
    ] as const) {
      await other.evaluate(`Notification.permission = "${permission}"`);
      await goInApp(other, '/board');
      await goInApp(other, '/settings');
      await other.getByText(words).waitFor();
    }
    await other.close();
    // It would go on until its time is up, and who waits for all work would wait for it.
    const [spends] = must(await client().runs.list({ taskId: asked.id }));
    if (spends !== undefined) must(await client().runs.stop(spends.id));
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('tells of what is held back in a tab that is closed, keeps it if the tab crashes, brings it back if nobody can be told', async () => {
    const { page, context } = visit;
    const { id: projectId } = await theProject();
    const make = async (title: string) => must(await client().tasks.create({ projectId, title }));
    const isKept = async ({ id }: { readonly id: string }) => (await client().tasks.get(id)).ok;
    const removeIn = async (own: Page, { key }: { readonly key: string }) => {
      await own.getByRole('button', { name: `More for ${key}` }).click();
      await own.getByRole('menuitem', { name: 'Delete' }).click();
      await own.getByText(`${key} deleted`).last().waitFor();
    };
    const lost = await make('Held back without a server');
    await goInApp(page, `/tasks/${lost.key}`);
    await removeIn(page, lost);
    await world.restart(async () => {
      await page.getByText('Connection lost').waitFor();
      await page.evaluate(PUT_AWAY);
      await page.getByText(`Not done: ${lost.key} deleted.`).waitFor();
      // A place that was never opened before has to be loaded first.
      await page.evaluate("history.pushState(null, '', '/insights')");
      await page.getByRole('heading', { name: 'Board' }).waitFor({ state: 'detached' });
    });
    await page.getByRole('heading', { name: 'Insights' }).waitFor();
    await goInApp(page, '/board');
    await page.getByRole('article', { name: lost.key, exact: true }).waitFor();
    expect(await isKept(lost)).toBe(true);
    for (const end of ['closed', 'crashed'] as const) {
      const task = await make(`Held back in a tab that is ${end}`);
      const tab = await context.newPage();
      await tab.goto(`${world.server().url}/tasks/${task.key}`);
      await removeIn(tab, task);
      if (end === 'closed') {
        await tab.close({ runBeforeUnload: true });
        await expect.poll(() => isKept(task)).toBe(false);
      } else {
        const debug = await context.newCDPSession(tab);
        const crash = tab.waitForEvent('crash');
        void debug.send('Page.crash').catch(() => null);
        await crash;
        expect(await isKept(task)).toBe(true);
        await page.getByRole('article', { name: task.key, exact: true }).waitFor();
      }
    }
    visit.problems.length = 0;
  });

  it('leads on from accepted and stopped work, says each state in one place, and takes back rejections, lifted limits and trust', async () => {
    const { page } = visit;
    const { id: projectId } = await theProject();
    const make = async (title: string) => must(await client().tasks.create({ projectId, title }));
    const [accepted, stopped, rejected] = [
      await make('Accepted for later'),
      await make('Hangs'),
      await make('Rejected'),
    ];
    const start = async ({ id }: { readonly id: string }, mode: 'plan' | 'implement') =>
      must(await client().tasks.startRun(id, { mode, along: 'pipeline' }));
    await start(accepted, 'implement');
    await start(rejected, 'plan');
    const kindOf = async ({ id }: { readonly id: string }) =>
      must(await client().tasks.states({ ids: id }))[0]?.state.kind;
    await expect.poll(() => kindOf(accepted), { timeout: 120_000 }).toBe('waiting');
    must(await client().branches.approve(accepted.id));
    await goInApp(page, '/board');
    const card = ({ key }: { readonly key: string }) => page.getByRole('article', { name: key, exact: true });
    await card(accepted).getByText('Accepted, not merged').waitFor();
    // Where the column says all there is to say, the card does not repeat it; what is not as usual it tells.
    must(await client().tasks.update(stopped.id, { priority: 'critical', tags: ['tidy'] }));
    await card(stopped).getByRole('img', { name: 'Priority critical' }).waitFor();
    expect(await card(stopped).textContent()).toMatch(/^[A-Z]+-\d+(?:just now|\d+ \w+ ago) Hangstidy$/);
    // It goes to the top, under what waits for a person.
    await card(stopped)
      .getByRole('button', { name: `Move ${stopped.key}` })
      .click();
    await page.getByRole('menuitem', { name: 'To the top of its column' }).click();
    const cards = page
      .getByRole('region', { name: 'Open' })
      .getByRole('article')
      .filter({ hasNotText: /asked / });
    await expect.poll(() => cards.first().getAttribute('aria-label')).toBe(stopped.key);
    // A list under heads, walked with the keys alone.
    await goInApp(page, '/board?view=list&group=priority');
    const lines = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
    await expect.poll(() => lines.first().textContent()).toBe('Critical1');
    await page.locator('main').focus();
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    expect(await page.getByRole('checkbox', { name: `Select ${stopped.key}` }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/tasks/${stopped.key}`);
    // Its status is one and the same part of the page: whoever hears it is told of each change.
    await start(stopped, 'plan');
    await goInApp(page, `/tasks/${stopped.key}`);
    const status = page.getByRole('status', { name: 'State' });
    await status.getByText(/^Working/).waitFor();
    const same = await status.elementHandle();
    await page.getByRole('button', { name: 'Stop the agent' }).click();
    await status.getByText(/^Stopped/).waitFor();
    expect(await same?.evaluate((own) => own.isConnected)).toBe(true);
    expect(await status.getAttribute('aria-live')).not.toBe('off');
    await goInApp(page, '/board');
    await card(stopped)
      .getByText(/^Stopped/)
      .waitFor();
    await goInApp(page, '/');
    const isIn = (group: string, { title }: { readonly title: string }) =>
      page.getByRole('region', { name: group }).getByRole('button', { name: new RegExp(title) });
    await isIn('Stopped', stopped).click();
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await expect.poll(() => kindOf(stopped)).toMatch(/queued|working/);
    await isIn('Accepted, not merged', accepted).click();
    await page.getByRole('article').getByRole('button', { name: 'Merge', exact: true }).click();
    await isIn('Accepted, not merged', accepted).waitFor({ state: 'detached' });
    await expect.poll(() => kindOf(accepted)).toBe('merged');
    expect(isBase('first.txt')).toBe(true);

    await isIn('Plans', rejected).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Rejected', { exact: true }).last().waitFor();
    await expect.poll(() => kindOf(rejected)).toBe('closed');
    // On a phone it covers neither the search nor the places.
    const undo = await held(page.getByRole('button', { name: 'Undo' }));
    await page.setViewportSize({ width: 390, height: 844 });
    const { y = 0, height = 0 } = (await undo.locator('..').boundingBox()) ?? {};
    expect([y > 56, y + height <= 844 - 56]).toEqual([true, true]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => kindOf(rejected)).not.toBe('closed');

    must(await client().queue.setLimit({ kind: 'agent', name: 'scripted', max: 3 }));
    await goInApp(page, '/agents');
    await page.getByRole('button', { name: 'Lift the limit of scripted' }).click();
    await page.getByText('The limit on scripted is lifted').waitFor();
    await expect.poll(async () => must(await client().queue.state()).limits).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('At most 3 at once for the agent scripted').waitFor();
    expect(must(await client().queue.state()).limits).toMatchObject([{ name: 'scripted', max: 3 }]);

    mkdirSync(join(repository, '.attractor'));
    writeFileSync(join(repository, '.attractor', 'config.json'), JSON.stringify({ checks: {} }));
    must(await client().projects.trust(projectId, must(await client().projects.examine(projectId)).hash));
    await goInApp(page, `/projects?project=${(await theProject()).key}`);
    await page.getByRole('button', { name: 'Revoke the trust' }).click();
    await page.getByText(/^Nobody has trusted it yet/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText(/^Trusted as it is/).waitFor();
    const runs = must(await client().runs.list({ taskId: stopped.id }));
    for (const { id, status: now } of runs) if (now === 'running') must(await client().runs.stop(id));
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('says why a run failed and what helps, leads to its log, and tries again from where the work began', async () => {
    const { id } = await theProject();
    await triesAgain(visit.page, { client: client(), projectId: id, idle: world.idle });
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('loses nothing at any place when the server is restarted, nor when the page is loaded anew', async () => {
    const { id: projectId } = await theProject();
    const places = await awayPlaces(world, projectId);
    expect(places.map(({ route }) => route)).toEqual(appRoutes());
    // A browser has few connections to a server: each page is one of its own.
    const others = await Promise.all([1, 2].map(() => arrive('/', world.server().app.mintKey())));
    const visits = [visit, ...others];
    const before = visit.problems.length;
    for (let from = 0; from < places.length; from += visits.length) {
      const open = visits.flatMap(({ page }, at) => {
        const place = places[from + at];
        return place === undefined ? [] : [{ ...place, page, path: place.path ?? place.route }];
      });
      const text = `Written before restart ${from}`;
      const isKept =
        ({ page, shown, written, route }: (typeof open)[number]) =>
        async () => {
          await shown(page).waitFor({ state: 'attached' });
          if (written !== undefined) expect([route, await written(page).inputValue()]).toEqual([route, text]);
        };
      await Promise.all(
        open.map(async ({ page, path, written }) => {
          await goInApp(page, path);
          await written?.(page).fill(text);
        }),
      );
      await world.restart(async (inside) => {
        await Promise.all(open.map(({ page }) => page.getByText('Connection lost').waitFor()));
        for (const { away } of open) await away(inside);
      });
      await Promise.all(open.map(({ page }) => page.getByText('Connection lost').waitFor({ state: 'detached' })));
      await Promise.all(open.map((one) => isKept(one)()));
      await Promise.all(open.map(({ page }) => page.reload()));
      await Promise.all(open.map((one) => isKept(one)()));
    }
    for (const { context } of others) await context.close();
    const problems = visit.problems.splice(before);
    expect(problems.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET/.test(text))).toEqual([]);
  });

  it('is set by people: a user, a key, colours, what runs of a project may do; a template fills a task, what was said is found', async () => {
    const { page } = visit;
    const { id: projectId, key } = await theProject();
    await goInApp(page, '/settings?tab=users');
    await namesUser(page, 'zoe');
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('viewer');
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('button', { name: 'Remove zoe' }).waitFor();
    expect(must(await client().users.list())).toContainEqual(expect.objectContaining({ name: 'zoe', role: 'viewer' }));

    await goInApp(page, '/settings?tab=keys');
    await page.getByLabel('Name').fill('robot');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const secret = await page.getByText('Shown this once:').locator('code').textContent();
    const tried = async () =>
      (await fetch(`${world.server().url}/api/projects`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect(await tried()).toBe(200);
    await page.getByRole('button', { name: 'Revoke robot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect.poll(tried).toBe(401);

    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await goInApp(page, '/settings');
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await page.reload();
    await expect.poll(theme).toBe('dark');
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await expect.poll(theme).toBe('light');

    await goInApp(page, `/projects?project=${key}`);
    // The effective settings follow what was saved.
    const gets = page.getByRole('region', { name: 'Effective settings and their origin' });
    const mode = gets.getByRole('row', { name: /^Permission mode/ });
    await gets.getByRole('row').nth(1).waitFor();
    expect(await mode.filter({ hasText: 'The project' }).count()).toBe(0);
    await page.getByLabel('Permission mode').selectOption('plan');
    await page
      .getByRole('form', { name: /^Settings of/ })
      .getByRole('button', { name: 'Save' })
      .click();
    await expect
      .poll(async () => must(await client().projects.get(projectId)).config)
      .toMatchObject({ permissionMode: 'plan' });
    await mode.filter({ hasText: 'The project' }).waitFor();
    await tellsByChannel(page);

    must(await client().templates.save({ name: 'Usual', fields: { description: 'As always.' } }));
    await goInApp(page, '/new');
    await page.getByLabel('Template').selectOption({ label: 'Usual' });
    expect(await page.getByLabel(/^Details/).inputValue()).toBe('As always.');

    await keepConversation(world, 'Nightingales sing');
    await goInApp(page, '/sessions');
    await page.getByLabel('Search everything that was said and done').fill('nightingales');
    await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor();
    expect(visit.problems.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });

  it('moves nothing for longer than 150 ms, and nothing at all for those who want that', async () => {
    const { page } = visit;
    const seen = async () => {
      await goInApp(page, '/board');
      await page.getByTitle('Project', { exact: true }).click();
      const found = [...(await page.evaluate<ReadonlyArray<readonly [string, number]>>(MOTION))];
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      found.push(...(await page.evaluate<ReadonlyArray<readonly [string, number]>>(MOTION)));
      await page.keyboard.press('Escape');
      return found;
    };
    expect(await seen()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const found = await seen();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(found.map(([name]) => name)).toContain('rise');
    expect(found.filter(([name, ms]) => ms > 150 && !/^endless (?:blink|pulse)$/.test(name))).toEqual([]);
  });

  it('signs out: the page asks to sign in, and a copy of its cookie opens nothing any more', async () => {
    const { page, context } = visit;
    const cookies = await context.cookies();
    await page.getByTitle(/^Signed in as/).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Attractor' }).waitFor();
    await context.addCookies(cookies);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Attractor' }).waitFor();
    expect(must(await client().audit.list({ act: 'user.signed_out' }))).toMatchObject([{ person: 'owner' }]);
  });
});
