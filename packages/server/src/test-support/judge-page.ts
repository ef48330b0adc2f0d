import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type AxeReport = {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>;
};

type Look = { readonly only?: string; readonly except?: string; readonly within?: string };

/** Only what is wrong is wanted: no names are made up for what is right, and no style sheets are fetched for rules that are not asked. */
const ONLY_WRONG = { reporter: 'no-passes', resultTypes: ['violations'], preload: false, selectors: false };

/** What axe finds on the page as it is; `only` by one of its rules, or by all `except` one; `within` a part of it. */
export async function violations(page: Page, { only, except, within }: Look = {}): Promise<ReadonlyArray<string>> {
  // The page's own policy forbids inline script: axe is evaluated by the debugger, which stands outside it.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const rules = except === undefined ? {} : { rules: { [except]: { enabled: false } } };
  const options = { ...ONLY_WRONG, ...rules, ...(only === undefined ? {} : { runOnly: [only] }) };
  const found = `axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const wrong = await page.evaluate<AxeReport['violations']>(found);
  return wrong.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Another place of the app without loading the app again. */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
}

/** A phone, and a window of 1280 px at 400 %. */
const NARROW = [390, 320] as const;
const HEIGHT = 900;

const DRAWN_ANEW_MS = 60_000;

/** By how much a page is too wide: what follows the width of the window is drawn anew a moment after it. */
async function untilNarrow(page: Page): Promise<number> {
  const deadline = performance.now() + DRAWN_ANEW_MS;
  for (;;) {
    const sideways = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
    if (sideways <= 0 || performance.now() > deadline) return sideways;
    await sleep(50);
  }
}

/** Whose mark of the focus nobody sees, because what stands around it cuts it off on two sides or more; of each kind one. */
const UNSEEN_FOCUS = `(() => {
  const kinds = new Map();
  for (const part of document.querySelectorAll('main :is(a[href], button, select, textarea, summary, input, [tabindex="0"])'))
    if (part.checkVisibility() && !part.disabled && part.offsetWidth > 2) kinds.set(part.className + part.parentElement.className, part);
  const found = [...kinds.values()].filter((part) => {
    part.focus({ focusVisible: true, preventScroll: true });
    const { outlineOffset, outlineWidth } = getComputedStyle(part);
    const around = parseFloat(outlineOffset) + parseFloat(outlineWidth) - 0.5;
    const own = part.getBoundingClientRect();
    for (let outer = part.parentElement; outer !== document.body; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const { left, right, top, bottom, width } = outer.getBoundingClientRect();
      const cut = [own.left - around < left, own.right + around > right, own.top - around < top, own.bottom + around > bottom];
      if (own.width <= width && own.left >= left && own.right <= right && cut.filter(Boolean).length > 1) return true;
    }
    return false;
  });
  document.activeElement?.blur();
  return found.map((part) => (part.ariaLabel ?? part.textContent).slice(0, 60));
})()`;

/** What can be used, read of the tree that screen readers have, and has no name there. */
const NAMELESS =
  /^\s*- (?:button|checkbox|combobox|dialog|img|link|listbox|menuitem|menuitemradio|option|progressbar|radio|searchbox|slider|spinbutton|switch|tab|textbox)(?: \[[^\]]*\])*:?$/;

export async function nameless(page: Page, part: string): Promise<ReadonlyArray<string>> {
  const lines = (await page.locator(part).ariaSnapshot()).split('\n');
  return lines.flatMap((line, at) => (NAMELESS.test(line) ? [`no name: ${lines.slice(at, at + 2).join(' ')}`] : []));
}

/** Only a refusal may: it answers what was just done. */
export const INTERRUPTS = `[...document.querySelectorAll('[aria-live=assertive]:not([role=alert])')].some((part) => part.textContent !== '')`;

/** What stands around every place has the same colours at each: they are judged with the first one. */
type Judged = { readonly isFirst: boolean };

/** Everything wrong with a place: by the rules, its colours in light and dark, its targets and its width on narrow screens. */
export async function judgePage(page: Page, { isFirst }: Judged): Promise<ReadonlyArray<string>> {
  const part = isFirst ? {} : { within: 'main' };
  const found = [...(await violations(page, { except: 'color-contrast' }))];
  found.push(...(await page.evaluate<ReadonlyArray<string>>(UNSEEN_FOCUS)).map((one) => `focus not seen: ${one}`));
  found.push(...(await nameless(page, 'body')));
  if (await page.evaluate<boolean>(INTERRUPTS)) found.push('a live region interrupts');
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
    found.push(...(await violations(page, { ...part, only: 'color-contrast' })).map((one) => `${theme}: ${one}`));
  }
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: HEIGHT });
    const sideways = await untilNarrow(page);
    if (sideways > 0) found.push(`${width} px: ${sideways} px too wide`);
    if (width === 390)
      found.push(...(await violations(page, { ...part, only: 'target-size' })).map((one) => `phone: ${one}`));
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  return found;
}

/** Controls that a finger would miss, by their names and sizes. Links inside a sentence and the lines of a diff are as high as their text. */
const SMALL = `[...document.querySelectorAll('button, a[href], select, textarea, summary, input:not([type=file])')].flatMap((part) => {
  const own = part.labels?.[0]?.contains(part) && /checkbox|radio/.test(part.type) ? part.labels[0] : part;
  const after = getComputedStyle(own, '::after');
  const isSpread = after.content !== 'none' && after.position === 'absolute';
  const { width, height } = own.getBoundingClientRect();
  const [wide, high] = isSpread ? [parseFloat(after.width), parseFloat(after.height)] : [width, height];
  const isSeen = part.checkVisibility() && width > 2 && getComputedStyle(part).display !== 'inline' && !part.dataset.line;
  return isSeen && Math.min(wide, high) < 43.5 ? [(part.ariaLabel ?? part.textContent) + ' ' + wide + ' × ' + high] : [];
})`;

export function smallTargets(page: Page): Promise<ReadonlyArray<string>> {
  return page.evaluate<ReadonlyArray<string>>(SMALL);
}

/** Every place, with all that it has for a task that is reviewed and for one that is planned. */
export function allPlaces(reviewed: string, planned: string): ReadonlyArray<string> {
  const task = `/tasks/${reviewed}`;
  const boards = ['/board', '/board?view=rows', '/board?view=list'];
  const settings = [
    '/settings',
    '/settings?tab=users',
    '/settings?tab=keys',
    '/settings?tab=notifications',
    '/settings?tab=templates',
    '/settings?tab=server',
  ];
  const path = `/pipelines/coding?task=${planned}`;
  const others = ['/pipelines', path, '/costs', '/insights', '/agents', '/projects', '/start', '/sessions'];
  const compared = `${task}/compare`;
  const tabs = ['changes', 'branch', 'checks', 'artifacts'].map((tab) => `${task}?tab=${tab}`);
  return ['/', ...boards, '/new', task, ...tabs, compared, ...others, ...settings];
}
