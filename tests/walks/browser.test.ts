import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';

/** Quiet: a browser of its own accord looks for updates, and nothing may leave loopback here. */
const HANGS_MS = 600_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Looked = { readonly statuses: ReadonlyArray<string>; readonly lengths: ReadonlyArray<number> };

const LOOK_AT_EACH_CHANGE = `{
  const looked = { statuses: [], lengths: [] };
  window.looked = looked;
  const look = () => {
    const text = document.body.innerText;
    looked.lengths.push(text.length);
    for (const [status] of text.matchAll(/planning|implementing|review/gi)) looked.statuses.push(status.toLowerCase());
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS, timeout: HANGS_MS });
});

afterAll(() => browser.close());

test('a person sees the task move and the transcript stream, and no request leaves loopback', async () => {
  const home = makeFolder();
  const demo = startAttractor(['demo', '--yes', '--pace', '60'], { home });
  const address = await until(() => /Watch it in a browser: (\S+)\n/.exec(demo.output())?.[1], 'the address');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(HANGS_MS);
  const page = await context.newPage();
  const hosts = new Set<string>();
  const problems: string[] = [];
  page.on('request', (request) => void hosts.add(new URL(request.url()).hostname));
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));

  await page.goto(address);
  await page.getByRole('heading', { name: 'Slugs must be safe in a URL' }).waitFor();
  expect(page.url()).not.toContain('key=');

  // The page itself looks whenever it changes: a busy machine would be looked at a few times only.
  await page.evaluate(LOOK_AT_EACH_CHANGE);
  await until(() => (demo.output().includes('Ready for review') ? true : undefined), 'the end of the run');
  await page.getByText('Slugs now hold only lower-case letters').first().waitFor();

  const { statuses, lengths }: Looked = await page.evaluate('window.looked');
  expect(statuses).toContain('implementing');
  // All at once would be two lengths.
  expect(new Set(lengths).size).toBeGreaterThan(2);
  expect([...hosts]).toEqual(['127.0.0.1']);
  expect(problems).toEqual([]);
  await page.reload();
  await page.getByText('Slugs now hold only lower-case letters').first().waitFor();
  demo.child.kill('SIGINT');
  expect((await demo.ended).code).toBe(130);
});

test('a conversation that a command began goes on in the page, asks there, and comes back to the command', async () => {
  const home = makeFolder();
  const folder = path.join(home, 'work');
  mkdirSync(folder);
  const turns = [
    { text: 'Noted: seven.' },
    { text: 'I make it.', toolCalls: [{ use: 'shell' as const, command: 'touch made' }] },
    { text: 'Made from the **page**.' },
    { text: 'It was seven.' },
  ];
  // An agent of a task, which is in the middle of a turn when its server dies.
  const work = [
    { text: 'I begin the file.', toolCalls: [{ use: 'write' as const, path: 'half.txt', content: 'half\n' }] },
    {
      text: 'I go on with it.',
      delayMs: 3_000,
      toolCalls: [{ use: 'write' as const, path: 'whole.txt', content: 'whole\n' }],
    },
    { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
    { text: 'It is whole.' },
  ];
  const conversations = [{ match: { tool: 'report_outcome' }, turns: work }, { turns }];
  const simulator = await startSimulator({ script: { conversations } });
  onTestFinished(() => simulator.close());
  const env = { ANTHROPIC_API_KEY: 'none' };
  const flags = ['--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const first = await runAttractor(['-p', 'remember seven', ...flags], { home, cwd: folder, env });
  expect(first.stdout).toContain('Noted: seven.');

  const server = startAttractor(['serve', '--port', '0', '--quiet', ...flags], { home, env });
  const address = await until(() => /http:\S+#key=\S+/.exec(server.output())?.[0], 'the address of the server');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(HANGS_MS);
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('link', { name: /remember seven/ }).click();
  await page.getByText('Noted: seven.').waitFor();
  await page.getByLabel('Say something to the agent').fill('make a file');
  await page.getByRole('button', { name: 'Say it' }).click();
  const ask = page.getByRole('group', { name: 'Allow Bash?' });
  await ask.getByText('touch made').waitFor();
  expect(existsSync(path.join(folder, 'made'))).toBe(false);
  await ask.getByRole('button', { name: 'Allow once' }).click();
  await page.locator('strong', { hasText: 'page' }).waitFor();
  await page.getByLabel('Say something to the agent').waitFor();
  expect(existsSync(path.join(folder, 'made'))).toBe(true);

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const back = await runAttractor(['-p', '-r', id, 'which number?', ...flags], { home, cwd: folder, env });
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('It was seven.')]);
  expect(JSON.stringify(simulator.requests().at(-1)?.body)).toContain('Made from the **page**.');
  await page.reload();
  await page.getByText('It was seven.').waitFor();

  // The process is killed as it stands, and another one takes its port: the page comes back, with what somebody was writing.
  const fresh = await context.newPage();
  await fresh.goto(new URL('/start', address).href);
  await fresh.getByRole('button', { name: 'The sample' }).click();
  await fresh.getByRole('button', { name: 'Use the sample' }).click();
  await fresh.getByRole('link', { name: 'New task' }).last().click();
  await fresh.getByLabel('What should change?').fill('Half a thought');
  await page.getByLabel('Say something to the agent').fill('Half a sentence');
  const watched = await context.newPage();
  await watched.goto(new URL('/new', address).href);
  await watched.getByLabel('What should change?').fill('Goes on after the fall');
  await watched.getByLabel('Pipeline').selectOption({ label: 'Chore' });
  await watched.getByRole('button', { name: 'Create and start' }).click();
  await watched.getByLabel('Note on this task').fill('Half a note');
  const asked = () => simulator.requests().filter(({ body }) => JSON.stringify(body).includes('I begin the file.'));
  await until(() => asked()[0], 'the turn in which the server dies');
  server.child.kill('SIGKILL');
  expect((await server.ended).signal).toBe('SIGKILL');
  for (const open of [page, fresh, watched]) await open.getByText('Connection lost').waitFor();
  const { port } = new URL(address);
  const next = startAttractor(['serve', '--port', port, '--quiet', ...flags], { home, env });
  for (const open of [page, fresh, watched]) await open.getByText('Connection lost').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Say something to the agent').inputValue()).toBe('Half a sentence');
  await page.getByText('It was seven.').waitFor();
  // Another window has sent its own task meanwhile, from the same form.
  expect(await fresh.getByLabel('What should change?').inputValue()).toBe('Half a thought');
  await fresh.reload();
  await expect.poll(() => fresh.getByLabel('What should change?').inputValue()).toBe('Half a thought');
  await fresh.getByRole('button', { name: 'Create task' }).click();
  await fresh.getByRole('heading', { name: 'Half a thought' }).waitFor();
  // The run goes on where it was: nothing of it is lost, and nothing is there twice.
  await watched.getByText('It is whole.').first().waitFor();
  expect(await watched.getByLabel('Note on this task').inputValue()).toBe('Half a note');
  for (const reload of [false, true]) {
    if (reload) await watched.reload();
    await watched.getByText('It is whole.').first().waitFor();
    const seen = watched.getByRole('list', { name: 'Transcript' }).getByText('I begin the file.');
    expect([reload, await seen.count()]).toEqual([reload, 1]);
  }
  await watched.getByRole('tab', { name: 'Changes' }).click();
  for (const file of ['half.txt', 'whole.txt']) await watched.getByRole('region', { name: file }).waitFor();
  await context.close();
  next.child.kill('SIGINT');
  await next.ended;
});
