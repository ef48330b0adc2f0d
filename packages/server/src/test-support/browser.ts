import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..');
const HANGS_MS = 180_000;

/** Quiet: a browser of its own accord looks for updates, and nothing may leave loopback here. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS, timeout: HANGS_MS });
}

const LOOK_AGAIN_MS = 100;

/**
 * The app as it is shipped: as `npm test` has just built it, else built once for all files of a run, which share the run's temporary
 * folder.
 */
export async function buildWebApp(): Promise<string> {
  const shipped = process.env['BUILT_WEB_APP'];
  if (shipped !== undefined) return shipped;
  const built = join(tmpdir(), 'attractor-web');
  const making = `${built}.making`;
  while (!existsSync(built)) {
    const isMine = await mkdir(making).then(
      () => true,
      () => false,
    );
    if (!isMine) await sleep(LOOK_AGAIN_MS);
    else
      try {
        await build(making, built);
      } finally {
        await rm(making, { recursive: true, force: true });
      }
  }
  return built;
}

async function build(folder: string, built: string): Promise<void> {
  const vite = join(CHECKOUT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', join(CHECKOUT, 'packages', 'web'), '--outDir', folder, '--logLevel', 'error'];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the web app could not be built: ${code}`);
  await rename(folder, built);
}

/** What colours code comes after the page is there. */
const isFirstScript = (url: string) => url.endsWith('.js') && !url.includes('/syntax-');

/** How many bytes of script, as small as gzip makes them, were asked for. */
export async function firstLoad(urls: ReadonlyArray<string>, webRoot: string): Promise<number> {
  const scripts = [...new Set(urls.filter(isFirstScript))].map((url) => new URL(url).pathname);
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(webRoot, name)), { level: 9 }).length),
  );
  return sizes.reduce((all, size) => all + size, 0);
}

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly outside: string[];
  readonly problems: string[];
  readonly urls: string[];
};

type Look = {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly scale?: number;
  readonly hasTouch?: true;
};

/** Nobody looks at what a test draws: a quarter of the points is a quarter of that work. Places and sizes are the same. */
const UNSEEN = 0.5;

/** Opens a page and writes down every request and every complaint of the browser. */
export async function visitPage(browser: Browser, origin: string, path: string, look: Look = {}): Promise<Visit> {
  const { colorScheme = 'light', width = 1280, scale = UNSEEN, hasTouch } = look;
  // What moves is drawn sixty times a second, by the processor.
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    deviceScaleFactor: scale,
    ...(hasTouch === true ? { hasTouch, isMobile: true } : {}),
  });
  context.setDefaultTimeout(HANGS_MS);
  const page = await context.newPage();
  const seen: Visit = { page, context, outside: [], problems: [], urls: [] };
  context.on('request', (request) => {
    seen.urls.push(request.url());
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) seen.outside.push(request.url());
  });
  page.on('dialog', (dialog) => {
    seen.problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.problems.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(origin + path);
  return seen;
}
