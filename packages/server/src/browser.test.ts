import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ATTACHMENT_LIMIT_BYTES } from '@attractor/api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryWorkflow, newPrompt, newRun, type MemoryWorkflow } from './test-support/memory-workflow.ts';
import { callWithLongOutput, fillBoard, sayMuch } from './test-support/large-log.ts';
import { fillHostileTask, hostileDiff, hostileLines } from './test-support/hostile-world.ts';
import { bottomOf } from './test-support/hands.ts';
import { HOSTILE_TEXTS } from './test-support/hostile-texts.ts';
import { goInApp } from './test-support/judge-page.ts';
import { fillSampleWorld, tellRun } from './test-support/sample-world.ts';
import { buildWebApp, firstLoad, openBrowser, type Visit, visitPage } from './test-support/browser.ts';
import { serve, type Served } from './test-support/serve.ts';
import { describeProviders } from './providers.ts';

/** The real page in a real browser, with every request on record. */
type World = {
  readonly server: Served;
  readonly workflow: MemoryWorkflow;
  readonly browser: Browser;
  readonly webRoot: string;
};

let world: World;

/** What the catalog knows of models, without any key. */
const providers = () => describeProviders({}, '/home/ada/.attractor');

beforeAll(async () => {
  const webRoot = await buildWebApp();
  const workflow = await createMemoryWorkflow();
  fillSampleWorld(workflow);
  const server = await serve({ workflow, webRoot, providers });
  const browser = await openBrowser();
  world = { server, workflow, browser, webRoot };
});

afterAll(async () => {
  await world?.browser.close();
  await world?.server.close(200);
});

const visit = (path: string) => visitPage(world.browser, world.server.url, path);

/** One page for all that are signed in: a second one would compile the app once more. */
let seat: Visit | null = null;

/** Of the first file, until every line above what was changed is there. */
const UNFOLD_ALL = `(async () => {
  const file = document.querySelector('[data-file]');
  const way = () => file.querySelector('button[aria-label^="Show line"]');
  for (let rows = 0; way() !== null; ) {
    if (file.querySelectorAll('tr').length > rows) {
      rows = file.querySelectorAll('tr').length;
      way().click();
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  if (file.querySelectorAll('tr').length < ${HOSTILE_TEXTS.length}) throw new Error('Not all lines are there.');
})()`;

const namesOf = (parts: ReadonlyArray<{ readonly ariaLabel: string | null }>) =>
  parts.map(({ ariaLabel }) => ariaLabel);

function missingPrompt(): never {
  throw new Error('The sample world has no such prompt.');
}

async function signedIn(path: string): Promise<Visit> {
  if (seat === null) seat = await visit(`${path}#key=${world.server.app.mintKey()}`);
  else {
    for (const noted of [seat.urls, seat.outside, seat.problems]) noted.length = 0;
    await seat.page.goto(world.server.url + path);
  }
  return seat;
}

/** Those that load nothing more once their heading is there. */
const OTHER_PLACES = [
  '/new',
  '/pipelines',
  '/costs',
  '/insights',
  '/agents',
  '/sessions',
  '/start',
  '/projects',
  '/settings',
  '/tasks/tsk_1/compare',
];

/** What only a page that ran or fetched something would have. */
const FORBIDDEN =
  'script, style, link, iframe, object, embed, video, form, math, base, img, svg[onload], a[href^="javascript" i], a[href^="data" i], [onerror], [onfocus]';

const MANY = 1_000;

/** Every tool call and every thought. */
const OPEN_ALL = `for (const part of document.querySelectorAll('main button[aria-expanded="false"], main summary')) part.click()`;

/** The callbacks of all clocks of a second, by their ids, and a time that can be moved. */
const CLOCKS = `(() => {
  window.seconds = new Map();
  window.later = 0;
  const [begin, end, now] = [window.setInterval, window.clearInterval, Date.now];
  window.setInterval = (act, ms, ...rest) => {
    const id = begin(act, ms, ...rest);
    if (ms === 1000) window.seconds.set(id, act);
    return id;
  };
  window.clearInterval = (id) => {
    window.seconds.delete(id);
    end(id);
  };
  Date.now = () => now() + window.later;
})()`;

const SIZES = new Set(['13px', '15px', '20px', '28px']);

/** The sizes, heights of lines and fonts of all text on the page, and the heights of its controls. */
const DRAWN = `(() => {
  const texts = [...document.querySelectorAll('main *')].filter((part) => part.checkVisibility() && [...part.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''));
  const each = (parts, read) => [...new Set(parts.map((part) => read(getComputedStyle(part))))].toSorted();
  const controls = [...document.querySelectorAll('main select, main input:not([type=checkbox]), main a.bg-accent')].filter((part) => part.checkVisibility());
  return {
    sizes: each(texts, ({ fontSize }) => fontSize),
    lines: each(texts, ({ lineHeight }) => lineHeight),
    fonts: each(texts, ({ fontFamily }) => fontFamily.split(',')[0].replaceAll('"', '')),
    controls: each(controls, ({ height }) => height),
  };
})()`;

describe('the web app in a browser', () => {
  // Before others move tasks and restart the server.
  it('ticks all times by one clock, names the dots of checks, and draws by its tokens', async () => {
    const { context, page: first } = await signedIn('/board');
    await first.getByRole('article').first().waitFor();
    const page = await context.newPage();
    await page.addInitScript(CLOCKS);
    await page.goto(`${world.server.url}/board`);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('link', { name: 'Collapse repeated separators' }).waitFor();
    const times = () => page.locator('main time').allTextContents();
    const before = await times();
    expect(before.length).toBeGreaterThan(5);
    expect(await page.evaluate('window.seconds.size')).toBe(1);
    // Forty days later, one tick: every time reads differently.
    await page.evaluate('window.later = 40 * 86_400_000; for (const tick of window.seconds.values()) tick()');
    await expect.poll(async () => (await times()).filter((text, at) => text === before[at])).toEqual([]);
    const dot = (title: string, name: string) =>
      page
        .getByRole('article')
        .filter({ hasText: title })
        .getByTitle(name, { exact: true })
        .evaluate((own) => {
          const colour = (part: typeof own) => own.ownerDocument.defaultView.getComputedStyle(part).color;
          return [own.textContent, colour(own.querySelector('svg') ?? own)];
        });
    const [good, bad] = ['rgb(18, 112, 58)', 'rgb(179, 38, 30)'];
    const passed = 'Check test: passed';
    expect(await dot('Slugs of accented words', passed)).toEqual([passed, good]);
    const failed = 'Check <i>check</i>: failed';
    expect(await dot('Publish types for the CLI', failed)).toEqual([failed, bad]);
    expect(await page.getByRole('article').filter({ hasText: 'Slugs of accented' }).ariaSnapshot()).toContain(passed);
    const drawn = await page.evaluate<Readonly<Record<string, ReadonlyArray<string>>>>(DRAWN);
    expect(drawn).toEqual({
      sizes: expect.toSatisfy((sizes: ReadonlyArray<string>) => sizes.every((size) => SIZES.has(size))),
      lines: expect.toSatisfy((lines: ReadonlyArray<string>) => lines.every((line) => parseFloat(line) % 4 === 0)),
      fonts: ['Inter Variable'],
      controls: ['32px'],
    });
    await page.close();
  });

  it('signs in by the address, takes the key out of it, and shows a task that moves by itself', async () => {
    const { page, context, outside, problems, urls } = await signedIn('/board');
    await page.getByRole('link', { name: 'Document the public API in the README' }).waitFor();
    expect(page.url()).toBe(`${world.server.url}/board`);
    expect(urls.join(' ')).not.toContain('key=');
    const created = await world.server.client.tasks.create({ projectId: 'prj_1', title: 'Made while you watch' });
    if (!created.ok) throw new Error(created.error.message);
    const open = page.getByRole('region', { name: 'Open', exact: true });
    await open.getByRole('link', { name: 'Made while you watch' }).waitFor();
    await world.server.client.tasks.transition(created.value.id, { to: 'planning' });
    const planning = page.getByRole('region', { name: 'Planning', exact: true });
    await planning.getByRole('link', { name: 'Made while you watch' }).waitFor();
    expect(await open.getByRole('link', { name: 'Made while you watch' }).count()).toBe(0);
    const cookies = await context.cookies(`${world.server.url}/api/tasks`);
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/api' }]);
    await page.reload();
    await planning.getByRole('link', { name: 'Made while you watch' }).waitFor();
    expect(outside).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('loads less than 150 KB of compressed script for any place, and has no inline script', async () => {
    const html = await readFile(join(world.webRoot, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    const places = [
      ['/', 'text=Nothing waits for you'],
      ['/board', 'article'],
      ['/tasks/tsk_1', '.md'],
      ['/tasks/tsk_1?tab=changes', '[role=tabpanel] .border-dashed, [role=tabpanel] [role=alert]'],
      ['/tasks/tsk_4', 'text=Approve plan'],
      ['/runs/run_1', '.md'],
      ...OTHER_PLACES.map((path) => [path, 'h1'] as const),
    ] as const;
    for (const [path, last] of places) {
      const { page, urls } = await signedIn(path);
      await page.locator(last).first().waitFor();
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
      const sum = await firstLoad(urls, world.webRoot);
      expect(sum, path).toBeGreaterThan(50_000);
      expect(sum, path).toBeLessThan(150_000);
    }
  });

  it('shows a run: ten steps with their times, its turns, what was spent; thoughts and calls folded until somebody opens them', async () => {
    const output = Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}`).join('\n');
    callWithLongOutput(world.workflow, { taskId: 'tsk_1', runId: 'run_1' }, output);
    const { page } = await signedIn('/runs/run_1');
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await transcript.getByText('Turn 4').waitFor();
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    expect(await steps.allTextContents()).toEqual(
      Array.from({ length: 10 }, () => expect.stringMatching(/^Done: [A-Z].*\d (?:ms|s)$/)),
    );
    const spent = page.getByRole('region', { name: 'Spent' }).getByRole('definition');
    expect(await spent.allTextContents()).toEqual(['24k', '17k', '696', '$0.07']);
    await page.getByRole('img', { name: /^\d+ % of the context is used$/ }).waitFor();
    expect(await transcript.getByText('The tests name the cases').isVisible()).toBe(false);
    await transcript.getByText('Thinking').first().click();
    await transcript.getByText('The tests name the cases').waitFor();
    // What was called is not even drawn before, and of much of it only the beginning.
    expect(await transcript.getByText('Replaced 1 occurrence').count()).toBe(0);
    await transcript.getByRole('button', { name: /edit_file/ }).click();
    await transcript.getByText('Replaced 1 occurrence').waitFor();
    await transcript.getByRole('button', { name: /seq 3000/ }).click();
    const printed = transcript.locator('pre', { hasText: 'line 1' });
    expect(await printed.textContent()).not.toContain('line 3000');
    await transcript.getByRole('button', { name: /^Show all [\d,]+ characters$/ }).click();
    await expect.poll(() => printed.textContent()).toContain('line 3000');
  });

  it('streams a transcript live, and goes on by itself after the server was restarted', async () => {
    const { page, outside, urls } = await signedIn('/runs/run_3');
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await transcript.waitFor();
    const tell = (text: string) =>
      world.workflow.tell({ taskId: 'tsk_3', runId: 'run_3', delta: { kind: 'text_delta', text } });
    await page.getByText('Live', { exact: true }).waitFor();
    // Whoever looks at the beginning of a long page can say something, too.
    await page.setViewportSize({ width: 1280, height: 420 });
    expect(Math.round(await bottomOf(page.getByRole('region', { name: 'Steer the agent' })))).toBe(420 - 12);
    await page.setViewportSize({ width: 1280, height: 900 });
    tell('Now I run ');
    await transcript.getByText('Now I run').waitFor();
    tell('the **tests**.');
    await transcript.getByText('Now I run the tests.').waitFor();
    const run = newRun({ id: 'run_3', taskId: 'tsk_3', startedAt: new Date().toISOString() });
    const writer = tellRun(world.workflow, run);
    world.workflow.append({
      type: 'agent.message',
      summary: '',
      taskId: 'tsk_3',
      runId: 'run_3',
      data: { message: { key: 'final', kind: 'text', text: 'Now I run the **tests**. They pass.' } },
    });
    await transcript.getByText('Now I run the tests. They pass.').waitFor();
    expect(await transcript.getByText('Now I run the tests.').count()).toBe(1);
    // The network goes, the server stays: what was said meanwhile comes once, and only what was missed is asked for.
    const tellMore = (key: string, text: string) =>
      world.workflow.append({
        type: 'agent.message',
        summary: '',
        taskId: 'tsk_3',
        runId: 'run_3',
        data: { message: { key, kind: 'text', text } },
      });
    await page.context().setOffline(true);
    tellMore('cut', 'Said while the cable was out.');
    await page.getByText('Connection lost').waitFor();
    tellMore('out', 'Said before it was back.');
    const asked = urls.length;
    await page.context().setOffline(false);
    await transcript.getByText('Said before it was back.').waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    for (const text of ['Said while the cable was out.', 'Said before it was back.', 'They pass.'])
      expect([text, await transcript.getByText(text).count()]).toEqual([text, 1]);
    // From where the log was read to; what was folded from it is not loaded again.
    const since = urls.slice(asked).filter((url) => /\/api\/events\?|\/view$/.test(url));
    expect(since.length).toBeGreaterThan(0);
    expect(since.filter((url) => !/[?&]after=[1-9]/.test(url))).toEqual([]);
    await world.server.close(200);
    await page.getByText('Connection lost').waitFor();
    writer.finish('execute');
    writer.begin('monitor');
    world = {
      ...world,
      server: await serve({ workflow: world.workflow, webRoot: world.webRoot, providers }, world.server.port),
    };
    await page.getByRole('listitem').filter({ hasText: 'Running: Account for usage' }).waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    expect(outside).toEqual([]);
  });

  it('names a place before it is there, says that the server is away, and goes on by itself', async () => {
    const { page } = await signedIn('/');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const go = (path: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
    await heading('Inbox').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const slow = Promise.withResolvers<void>();
    await page.route('**/api/tasks/tsk_7/view', (route) => slow.promise.then(() => route.continue()));
    await go('/tasks/tsk_7');
    await heading('Tsk_7').waitFor();
    await expect.poll(() => page.title()).toContain('Tsk_7 · Attractor');
    slow.resolve();
    await page.getByRole('heading', { level: 1, name: /Document the public API/ }).waitFor();
    // Costs are asked for by another word: who chose it does not lose the place on the page.
    await go('/costs');
    await page.getByRole('region', { name: 'Budgets' }).waitFor();
    const rest = Promise.withResolvers<void>();
    await page.route('**/api/costs?*groupBy=task*', (route) => rest.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Task', exact: true }).press('Enter');
    await page.locator('main').getByLabel('Loading').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Task');
    rest.resolve();
    await page.context().setOffline(true);
    await page.getByText('Connection lost').waitFor();
    await go('/insights');
    await heading('Insights').waitFor();
    await page.getByText('The server does not answer.').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^\d+ runs?$/).waitFor();
    await page.unrouteAll();
  });

  it('signs nobody out because a proxy finds no server behind it', async () => {
    const { page } = await signedIn('/insights');
    await page.getByText(/^\d+ runs?$/).waitFor();
    await page.route('**/api/session', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await page.reload();
    await page.getByText('The server does not answer.').waitFor();
    expect(await page.getByLabel('Access token').count()).toBe(0);
    await page.unrouteAll();
    await page.getByText(/^\d+ runs?$/).waitFor();
  });

  it('loads a part that failed when somebody tries again', async () => {
    const { page } = await signedIn('/');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route('**/assets/agents-*.js', (route) => route.abort());
    await page.evaluate(`history.pushState(null, '', '/agents')`);
    await heading('This page can’t be shown').waitFor();
    await page.unrouteAll();
    const again = page.getByRole('button', { name: 'Try again' });
    const tried = async () => {
      if (await again.isVisible()) await again.click();
      return heading('Agents').isVisible();
    };
    await expect.poll(tried).toBe(true);
  });

  it('asks again for an answer that failed, and says what it could not load', async () => {
    const { page } = await signedIn('/');
    let asked = 0;
    await page.route('**/api/pipelines', (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ status: 500, body: '' }) : route.continue();
    });
    await goInApp(page, '/pipelines');
    await page.getByRole('link', { name: 'Coding', exact: true }).waitFor();
    expect(asked).toBeGreaterThan(1);
    await page.route('**/api/tasks/tsk_7/notes', (route) => route.fulfill({ status: 500, body: '' }));
    await goInApp(page, '/tasks/tsk_7');
    await page.getByRole('alert').getByText('The server answered 500 without saying why.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('shows what was spent although no run is counted to it', async () => {
    const { page } = await signedIn('/');
    await page.route('**/api/costs?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { readonly total: object };
      await route.fulfill({ json: { ...answer, total: { ...answer.total, runs: 0, knownCostUsd: 0.5 } } });
    });
    await goInApp(page, '/costs');
    await page.getByRole('region', { name: 'By project', exact: true }).waitFor();
    await page.getByText('$0.50', { exact: true }).waitFor();
    expect(await page.getByText('Nothing has been spent yet').count()).toBe(0);
    await page.unroute('**/api/costs?*');
  });

  it('keeps what is written in each window, whatever another one writes or sends', async () => {
    const { page, context } = await signedIn('/tasks/tsk_7');
    const other = await context.newPage();
    await other.goto(`${world.server.url}/tasks/tsk_7`);
    const [note, others] = [page, other].map((each) => each.getByLabel('Note on this task'));
    if (note === undefined || others === undefined) throw new Error('There are two windows.');
    await note.fill('The first');
    await expect.poll(() => others.inputValue()).toBe('The first');
    await others.fill('The second');
    await note.fill('The first and more');
    await other.reload();
    await expect.poll(() => others.inputValue()).toBe('The second');
    expect(await note.inputValue()).toBe('The first and more');
    await note.fill('');
    expect(await others.inputValue()).toBe('The second');
    await others.fill('');
    await other.close();
  });

  it('keeps what is asked in sight, however far somebody has read on, and leads back to it', async () => {
    const { page } = await signedIn('/tasks/tsk_4');
    await page.getByRole('button', { name: 'Approve plan' }).waitFor();
    const back = page.getByRole('button', { name: 'Approve the plan Answer' });
    expect(await back.count()).toBe(0);
    for (const [width, height] of [
      [1280, 320],
      [390, 480],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
      await back.waitFor();
      // In a window as low as this the head is scrolled away: it would leave no place for what is read.
      expect(await bottomOf(page.getByRole('heading', { level: 1 }))).toBeLessThan(0);
      await back.press('Enter');
      await back.waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Waiting for you');
      const approve = await bottomOf(page.getByRole('button', { name: 'Approve plan' }));
      expect([width, approve > 0, approve < height]).toEqual([width, true, true]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('answers the plan and the command that wait, each bound to what was shown', async () => {
    const { page } = await signedIn('/tasks/tsk_4');
    await page.getByRole('button', { name: 'Approve plan' }).click();
    await page.getByRole('button', { name: 'Approve plan' }).waitFor({ state: 'detached' });
    expect(await world.workflow.getPrompt('prm_1')).toMatchObject({
      status: 'answered',
      answer: { decision: 'approve' },
    });
    await page.goto(`${world.server.url}/runs/run_8`);
    const panel = page.getByRole('region', { name: 'Waiting for you' });
    await panel.getByText('rm -rf /tmp/bench⟨U+202E⟩ # tidy').waitFor();
    await panel.getByLabel('Message to the agent').fill('Not on this machine');
    await panel.getByRole('button', { name: 'Deny' }).click();
    await panel.waitFor({ state: 'detached' });
    expect((await world.workflow.getPrompt('prm_2'))?.answer).toEqual({
      decision: 'reject',
      message: 'Not on this machine',
    });
  });

  it('allows a command for good, with the rule and the file that were shown', async () => {
    const { payload, type, title, taskId, runId } = (await world.workflow.getPrompt('prm_2')) ?? missingPrompt();
    const again = newPrompt({ id: 'prm_9', type, title, taskId, runId, payload });
    const { id } = again;
    world.workflow.append({ type: 'prompt.created', summary: title, taskId, runId, data: { prompt: again } });
    const { page } = await signedIn('/runs/run_8');
    const panel = page.getByRole('region', { name: 'Waiting for you' });
    await panel.getByText('Allow always…').click();
    await panel.getByText('is written to /home/ada/.attractor/config.json').waitFor();
    await panel.getByRole('button', { name: 'Allow always in all my projects' }).click();
    await panel.waitFor({ state: 'detached' });
    expect((await world.workflow.getPrompt(id))?.answer).toEqual({
      decision: 'approve',
      remember: { rules: ['Bash(node bench/slugify.js:*)'], destination: 'userSettings' },
    });
  });

  it('shows hostile text as text: no script runs, nothing is fetched', async () => {
    const { page, outside, problems } = await signedIn('/runs/run_5');
    const opened = page.getByRole('button', { name: 'Done <u>shell</u>' });
    await opened.click();
    await page.getByText('Thinking').click();
    await page.locator('summary', { hasText: 'Branch' }).click();
    await page.getByText('[image: x]').waitFor();
    await page.getByText('[image: ref]').waitFor();
    const forbidden =
      'script, style, link, iframe, svg[onload], form, math, base, img, a[href^="javascript"], a[href^="data"]';
    expect(await page.locator('main').locator(forbidden).count()).toBe(0);
    expect(await page.locator('main [ping], main [onerror], main [onfocus]').count()).toBe(0);
    await page.waitForTimeout(300);
    expect(outside).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows two hundred hostile texts as text wherever text can come from: no script, no request, no page too wide', async () => {
    expect(HOSTILE_TEXTS).toHaveLength(200);
    const task = fillHostileTask(world.workflow);
    const { page, outside, problems } = await signedIn('/board');
    await page.route('**/api/tasks/*/diff*', (route) => route.fulfill({ json: hostileDiff() }));
    await page.route('**/api/tasks/*/lines*', (route) => route.fulfill({ json: hostileLines(route.request().url()) }));
    const base = `/tasks/${task.id}`;
    const places = ['', '?tab=plan', '?tab=artifacts', '?tab=past', '?tab=changes'].map((tab) => base + tab);
    for (const path of [...places, '/board?view=list', '/board', '/']) {
      await goInApp(page, path);
      if (path === base) await page.evaluate(OPEN_ALL);
      if (path.endsWith('changes')) {
        await page.getByText('200 files').waitFor();
        await page.evaluate(UNFOLD_ALL);
        const checks = page.getByRole('list', { name: 'Checks of this change' }).getByRole('listitem');
        expect(await checks.allTextContents()).toEqual([`Failed: ${HOSTILE_TEXTS[0]}failed before too`]);
      }
      expect([path, await page.locator('main').locator(FORBIDDEN).count()]).toEqual([path, 0]);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
      }
    }
    expect(outside).toEqual([]);
    // The world in memory knows nothing of some parts of a task, and the page says so.
    expect(problems.filter((text) => !text.includes('status of 404'))).toEqual([]);
  });

  it('leads nobody out of the app or to another question, and says what an address does not lead to', async () => {
    const { context } = await signedIn('/board');
    const page = await context.newPage();
    await page.goto(`${world.server.url}/pipelines/coding?task=NO-1`);
    await page.getByText('There is no task NO-1.').waitFor();
    expect(await page.getByText('is shown on it').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByRole('article').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('There is no task NO-1.').waitFor();
    await page.goto(`${world.server.url}/no/such-page`);
    await page.getByText('/no/such-page leads nowhere').waitFor();
    await page.close();
  });

  it('says at once what a task can’t have, and keeps what was written while the session ended', async () => {
    const { page, context } = await signedIn('/new');
    const [title, create] = [
      page.getByLabel('What should change?'),
      page.getByRole('button', { name: 'Create task', exact: true }),
    ];
    await title.fill('x'.repeat(507));
    await page.getByText('At most 500 characters: 7 too many.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await title.fill('Written before the session ended');
    await page.getByLabel('Budget in USD').fill('1e30');
    await page.getByText('at most 1,000,000').waitFor();
    await page.getByLabel('Budget in USD').fill('');
    const folder = mkdtempSync(join(tmpdir(), 'at-attached-'));
    const [large, small] = [join(folder, 'large.bin'), join(folder, 'small.txt')];
    writeFileSync(small, 'a');
    writeFileSync(large, '');
    truncateSync(large, ATTACHMENT_LIMIT_BYTES + 1);
    await page.locator('input[type=file]').setInputFiles([large, small]);
    await page.getByText('large.bin is larger than 25 MiB').waitFor();
    expect(await page.getByRole('button', { name: /^Leave .* out$/ }).evaluateAll(namesOf)).toEqual([
      'Leave small.txt out',
    ]);
    await context.clearCookies();
    await create.click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('Access token').fill(world.server.app.mintKey());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => title.inputValue()).toBe('Written before the session ended');
    await title.fill('');
    rmSync(folder, { recursive: true });
  });

  it('draws of thousands of tasks and turns only those that somebody looks at', async () => {
    const { page } = await signedIn('/costs');
    fillBoard(world.workflow, MANY);
    sayMuch(world.workflow, { taskId: 'tsk_2', runId: 'run_2' }, MANY);
    await goInApp(page, '/board');
    const open = page.getByRole('region', { name: 'Open', exact: true });
    await open
      .getByText(/One of many/)
      .first()
      .waitFor();
    await expect.poll(async () => Number(/\d+/.exec((await open.textContent()) ?? '')?.[0])).toBeGreaterThan(MANY);
    expect(await page.getByRole('article').count()).toBeLessThan(60);
    await goInApp(page, '/board?view=list');
    await page
      .getByText(/One of many/)
      .first()
      .waitFor();
    expect(await page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').count()).toBeLessThan(100);
    await goInApp(page, '/runs/run_2');
    const turns = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
    await turns.first().waitFor();
    expect(Number(await turns.first().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(MANY);
    expect(await turns.count()).toBeLessThan(60);
    // The last one is there as soon as somebody goes to it.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByText(`Said as number ${MANY}.`).waitFor();
  });

  it('asks a stranger to sign in, and says when an address was used before', async () => {
    const { page, context } = await signedIn('/board');
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    await context.clearCookies();
    await page.goto(`${world.server.url}/`);
    await page.getByRole('heading', { name: 'Sign in to Attractor' }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${world.server.url}/#key=used-before`);
    await page.getByText('This sign-in address was used before').waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });
});
