import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { serveGit } from '@attractor/repository/testing';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { goInApp, INTERRUPTS } from './judge-page.ts';

/** As if a file were in the clipboard. */
export const PASTE = `(() => {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File(['as I saw it'], 'pasted.txt', { type: 'text/plain' }));
  window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
})()`;

/** As if a file were let go over the heading of the page; whether the page took it instead of being left for it. */
export const DROP = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['as I drew it'], 'dropped.txt', { type: 'text/plain' }));
  return ['dragover', 'drop'].map((type) => {
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('h1').dispatchEvent(event);
    return event.defaultPrevented;
  });
})()`;

/** A browser that tells people of things, as far as a page sees it; a page that nobody looks at is put to rest at once. */
export const TOLD = `(() => {
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = 'granted';
    constructor(title, { body }) {
      super();
      window.told.push([title, body]);
      window.lastTold = this;
    }
    close() {}
  };
  const wait = window.setTimeout;
  window.setTimeout = (act, ms, ...rest) => wait(act, ms === 20_000 ? 0 : ms, ...rest);
})()`;

export const HIDE = `(() => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
})()`;

/** What moves for how long, in milliseconds, by what it is: once, or for as long as it is there. */
export const MOTION = `[...document.querySelectorAll('*')].flatMap((part) =>
  ['', '::before', '::after'].flatMap((pseudo) => {
    const { animationName, animationDuration, animationIterationCount, transitionProperty, transitionDuration } = getComputedStyle(part, pseudo);
    const ms = (times) => Math.max(...times.split(', ').map((time) => parseFloat(time) * (time.endsWith('ms') ? 1 : 1000)));
    const isEndless = animationIterationCount.includes('infinite');
    return [
      ...(animationName === 'none' ? [] : [[isEndless ? 'endless ' + animationName : animationName, ms(animationDuration)]]),
      ...(ms(transitionDuration) > 0 ? [['transition of ' + transitionProperty, ms(transitionDuration)]] : []),
    ];
  }),
)`;

/** As if another tab were in front for a moment. */
export const PUT_AWAY = `(() => {
  for (const state of ['hidden', 'visible']) {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }
  delete document.visibilityState;
})()`;

/** A low window in which what opens under a part would be seen, were there nothing at the bottom of the window. */
export async function nearTheBottom(page: Page, part: Locator): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 600 });
  await part.evaluate((own) => {
    const { scrollBy, innerHeight } = own.ownerDocument.defaultView;
    scrollBy(0, own.getBoundingClientRect().bottom - innerHeight + 170);
  });
}

export async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.NaN;
}

export async function bottomOf(part: Locator): Promise<number> {
  const { y = Number.NaN, height = 0 } = (await part.boundingBox()) ?? {};
  return y + height;
}

/** What is drawn as the one thing to do next. */
export function primaries(page: Page): Promise<ReadonlyArray<string>> {
  return page
    .locator('main')
    .locator('button.bg-accent, a.bg-accent')
    .filter({ hasText: /\S/ })
    .filter({ visible: true })
    .allTextContents();
}

/** The one thing to do next, by the state of the task; nothing, while an agent works and after the end. */
export const NEXT = {
  question: ['Answer'],
  options: ['Choose'],
  plan: ['Approve plan'],
  tool: ['Allow once'],
  review: ['Review 3 files'],
  merged: [],
  failed: ['Plan again'],
  split: ['Split it like this'],
  working: [],
  open: ['Clarify and plan'],
} as const;

/** What the page says after a card was dragged to a column. */
export async function dragged(card: Locator, column: Locator): Promise<string> {
  const page = card.page();
  const from = await card.boundingBox();
  if (from === null) return 'the board shows no such card';
  await page.mouse.move(from.x + 30, from.y + 60);
  await page.mouse.down();
  const isOver = await carriedOver(column);
  expect(await page.evaluate(INTERRUPTS)).toBe(false);
  if (!isOver) await page.keyboard.press('Escape');
  await page.mouse.up();
  if (!isOver) return 'the column was never reached';
  const said = page.getByText('was not moved:').last();
  return said.textContent({ timeout: 10_000 }).then((text) => text ?? '', String);
}

/** Goes elsewhere in the app, to a place or by hand, before the answer has arrived, and is still there after it has. */
export async function whileAnswering(
  page: Page,
  elsewhere: string | (() => Promise<void>),
  answer: () => Promise<void>,
): Promise<void> {
  const calls = '**/api/prompts/*/answer';
  const isElsewhere = Promise.withResolvers<void>();
  await page.route(calls, (route) => isElsewhere.promise.then(() => route.continue()));
  const isSent = page.waitForResponse(calls);
  await answer();
  await (typeof elsewhere === 'string' ? goInApp(page, elsewhere) : elsewhere());
  const there = page.url();
  isElsewhere.resolve();
  await isSent;
  await page.evaluate('new Promise((done) => setTimeout(done, 200))');
  expect(page.url()).toBe(there);
  await page.unroute(calls);
}

/** People put the cards of a column in order: by the mouse, by keys and by the menu; the server keeps it, and each can be taken back. */
export async function placesCards(page: Page): Promise<void> {
  await page.goto(new URL('/board', page.url()).href);
  const cards = page.getByRole('region', { name: 'Open', exact: true }).getByRole('article');
  await cards.nth(2).waitFor();
  const order = () => cards.evaluateAll((all) => all.map((own) => own.ariaLabel ?? ''));
  const [first = '', second = '', ...rest] = await order();
  const swapped = [second, first, ...rest];
  const comes = async (wanted: ReadonlyArray<string>) => {
    await expect.poll(order).toEqual(wanted);
  };
  const undo = async () => {
    const newest = await held(page.getByRole('button', { name: 'Undo' }));
    await newest.click();
    await comes([first, second, ...rest]);
  };
  await comes([first, second, ...rest]);
  const [from, to] = [await cards.nth(0).boundingBox(), await cards.nth(1).boundingBox()];
  if (from === null || to === null) throw new Error('The board shows no two cards.');
  await page.mouse.move(from.x + 30, from.y + 60);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + 60 + (to.y - from.y) + 12, { steps: 8 });
  await page.mouse.up();
  await comes(swapped);
  await page.reload();
  await cards.nth(2).waitFor();
  await comes(swapped);
  await page.locator('main').focus();
  for (const key of ['j', 'Shift+J']) await page.keyboard.press(key);
  await comes([first, second, ...rest]);
  await page.locator('main').focus();
  await page.keyboard.press('Shift+J');
  await comes([first, ...(rest[0] === undefined ? [second] : [rest[0], second]), ...rest.slice(1)]);
  await undo();
  await page.getByRole('button', { name: `Move ${first}` }).click();
  await page.getByRole('menuitem', { name: 'To the end of its column' }).click();
  await comes([second, ...rest, first]);
  await undo();
}

/** Columns grow and shrink with the cards that move by themselves, and the board scrolls under a card at its edge: as a person would, follows. */
async function carriedOver(column: Locator): Promise<boolean> {
  const page = column.page();
  for (let looks = 0; looks < 40; looks += 1) {
    const to = await column.boundingBox();
    if (to === null) return false;
    await page.mouse.move(to.x + 40, to.y + 120, { steps: 8 });
    await page.waitForTimeout(100);
    if (await column.evaluate((own) => own.classList.contains('border-ink'))) return true;
  }
  return false;
}

/** The chosen card goes where no mouse takes it: its key opens the menu, arrows find the way, and what is read meanwhile takes nothing away. */
export async function movedByKeys(page: Page, to: string): Promise<void> {
  await page.locator('main').focus();
  for (const key of ['j', 'm']) await page.keyboard.press(key);
  await page.getByRole('menuitem', { name: /Done/ }).getByText('No transition leads there from here.').waitFor();
  const reached = () => page.evaluate<string | null>('document.activeElement.textContent');
  for (let presses = 0; presses < 20 && (await reached()) !== to; presses += 1) await page.keyboard.press('ArrowDown');
  if ((await reached()) !== to) throw new Error(`The arrows never come to “${to}”.`);
  await page.keyboard.press('Enter');
}

export async function chooseProject(page: Page, name: string): Promise<void> {
  await page.getByTitle('Project', { exact: true }).click();
  await page.getByRole('menuitemradio', { name }).click();
}

/** It would be gone after ten seconds, but not while it has the focus. */
export async function held(buttons: Locator): Promise<Locator> {
  const newest = buttons.last();
  await newest.focus();
  return newest;
}

/** Presses Tab as often as it takes; whoever is reached can be seen. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab');
    const { label, isSeen } = await page.evaluate<{ label: string; isSeen: boolean }>(FOCUSED);
    if (label !== name) continue;
    expect([name, isSeen]).toEqual([name, true]);
    return;
  }
  throw new Error(`Tab never comes to “${name}”.`);
}

const FOCUSED = `(() => {
  const own = document.activeElement;
  const { top, bottom } = own.getBoundingClientRect();
  const label = own.getAttribute('aria-label') ?? own.labels?.[0]?.textContent ?? own.textContent ?? '';
  return { label: label.trim(), isSeen: bottom > 0 && top < innerHeight };
})()`;

/** Under Projects: one from a machine that says nothing, stopped; then one that comes. */
export async function clonesByAddress(page: Page, folder: string): Promise<void> {
  const silent = createServer((socket) => void socket.on('error', () => null).resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const clone = async (url: string) => {
    await page.getByLabel('Address of a git repository').fill(url);
    await page.getByRole('button', { name: 'Clone and add' }).click();
  };
  await goInApp(page, '/projects');
  await page.getByRole('button', { name: 'Clone a repository' }).click();
  await clone(`git://127.0.0.1:${(silent.address() as AddressInfo).port}/never.git`);
  const going = page.getByRole('list', { name: 'Being cloned' });
  await going.getByText('Connecting…').waitFor();
  await going.getByRole('progressbar', { name: /never\.git/ }).waitFor();
  await going.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alert').getByText('The clone was stopped').waitFor();
  await going.waitFor({ state: 'detached' });
  const daemon = await serveGit(folder);
  onTestFinished(daemon.close);
  await clone(`${daemon.url}/slugs`);
  await page.getByRole('region', { name: 'slugs' }).waitFor();
}
