import type { CDPSession, Page } from 'playwright-core';

/** What a page does, as its own clock sees it. */
export type Scroll = {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Tasks of the page that took longer than 50 ms, and the longest. */
  readonly longTasks: number;
  readonly longestMs: number;
  /** What the page itself did in a frame, in time of the processor: layout and script, not what draws the picture. */
  readonly cpuMs: number;
};

/** Runs in the page, which knows no types. */
const SCROLL = `async (where, count) => {
  const part = where === null ? document.scrollingElement : document.querySelector(where);
  const long = [];
  const watch = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
  watch.observe({ type: 'longtask' });
  const spans = [];
  let last = performance.now();
  for (let frame = 0; frame < count; frame += 1) {
    part.scrollTop += 120;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    spans.push(performance.now() - last);
    last = performance.now();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  watch.disconnect();
  const sorted = spans.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { frames: count, medianMs: at(0.5), p95Ms: at(0.95), longTasks: long.length, longestMs: Math.max(0, ...long) };
}`;

/** Scrolls a part of the page, or the page itself, by the height of a card in each of so many frames. */
export async function scroll(page: Page, selector: string | null, frames: number): Promise<Scroll> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await workedMs(session);
  const found = await page.evaluate<Omit<Scroll, 'cpuMs'>>(`(${SCROLL})(${JSON.stringify(selector)}, ${frames})`);
  const cpuMs = ((await workedMs(session)) - before) / frames;
  await session.detach();
  return { ...found, cpuMs };
}

const WATCH_CLICKS = `window.clicks = [];
  new PerformanceObserver((list) => {
    window.clicks.push(...list.getEntries().filter(({ name }) => name === 'click').map(({ duration }) => duration));
  }).observe({ type: 'event', durationThreshold: 16 })`;

/** From the press of a button to the next thing drawn, as the browser measures it; under 16 ms it does not say. */
export async function clickMs(page: Page, name: string): Promise<number> {
  await page.evaluate(WATCH_CLICKS);
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForTimeout(500);
  return page.evaluate<number>('Math.max(0, ...window.clicks)');
}

/** How long the page was at work since it was loaded, in milliseconds of the processor: who else uses it does not count. */
export async function busyMs(session: CDPSession): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return workedMs(session);
}

async function workedMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** What the page holds in memory after everything that can go is gone. */
export async function heldMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}
