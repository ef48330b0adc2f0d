import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ANYWHERE, type Ended, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');
const PACK = path.join(CHECKOUT, 'scripts/pack.mjs');

/** An install asks the registry, and a registry can be slow; only a hang takes longer. */
const INSTALL_MS = 240_000;

/** The machine's own programs: the Node and the npm of the project stay out of sight. */
const BARE_PATH = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));

describe('the tarball of `npm run pack`, installed into an empty prefix', () => {
  const prefix = makeFolder();
  const installed = path.join(prefix, 'lib/node_modules/attractor');

  beforeAll(() => install(pack(makeFolder()), prefix), 3 * INSTALL_MS);

  const options = () => ({
    home: makeFolder(),
    cwd: makeFolder(),
    env: { PATH: [path.join(prefix, 'bin'), ...BARE_PATH].join(':') },
    command: [path.join(prefix, 'bin/attractor')],
  });
  const attractor = (...args: ReadonlyArray<string>): Promise<Ended> => runAttractor(args, options());

  test('knows its version', async () => {
    expect(await attractor('--version')).toMatchObject({ code: 0, stdout: `${versionOf(CHECKOUT)}\n`, stderr: '' });
  });

  test('shows its help', async () => {
    expect(await attractor('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: attractor /) });
  });

  test('finds all that it needs, on a Node of its own where that of the machine is too old', async () => {
    const { code, stdout } = await attractor('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ Node +v(?:2[4-9]|[3-9]\d)/);
    expect(stdout).not.toContain('✗');
  });

  test('runs the demo to its end in a folder that has nothing to do with it', async () => {
    const { code, stdout, stderr } = await attractor('demo', '--once');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Ready for review');
    expect(stdout).toMatch(/passes on the branch [0-9a-f]{8}/);
  });

  test('serves the web app that it brought along, until it is told to end', async () => {
    const { child, output, ended } = startAttractor(['serve', '--port', '0', ...ANYWHERE], options());
    const address = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0], 'the address of the server');
    const page = await (await fetch(address)).text();
    expect(page).toBe(readFileSync(path.join(installed, 'dist/web/index.html'), 'utf8'));
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(address + script)).headers.get('content-type')).toContain('javascript');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  test('is called by its other names', async () => {
    const [executor, fileTools] = ['agent-executor', 'file-tools'].map((name) =>
      runAttractor(['--help'], { ...options(), command: [path.join(prefix, 'bin', name)] }),
    );
    expect((await executor)?.stdout).toMatch(/^Usage: attractor exec /);
    expect((await fileTools)?.stdout).toMatch(/^Usage: attractor file-tools /);
  });

  test('brings the programs that no bundle can contain', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toContain('@vscode/ripgrep');
    const search = `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`;
    expect(spawnSync(path.join(installed, search), ['--version']).status).toBe(0);
  });

  test('brings its pages, whose links lead somewhere, and neither tests nor maps of its sources', () => {
    const files = globSync('**/*', { cwd: installed, exclude: ['node_modules'] });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/command-line.md']));
    expect(files.filter((file) => /\.(?:map|ts|tgz)$|\.test\./.test(file))).toEqual([]);
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => linksOf(path.join(installed, file)).filter((target) => !existsSync(target)));
    expect(broken).toEqual([]);
  });
});

describe('npm run pack', () => {
  test.each([
    ['an unknown flag', ['--fast'], 2, /--fast[^]*Usage: npm run pack/],
    ['two folders', ['one', 'two'], 2, /one two[^]*Usage: npm run pack/],
    ['a folder that is not there', ['/nowhere/at/all'], 1, /no folder \/nowhere\/at\/all/],
  ])('refuses %s in words', (_what, args, code, words) => {
    const ended = spawnSync(process.execPath, [PACK, ...args], { encoding: 'utf8' });
    expect(ended).toMatchObject({ status: code, stdout: '', stderr: expect.stringMatching(words) });
  });
});

function pack(folder: string): string {
  const tarball = execFileSync(process.execPath, [PACK, folder], { encoding: 'utf8', stdio: 'pipe' }).trim();
  expect(tarball).toBe(path.join(folder, `attractor-${versionOf(CHECKOUT)}.tgz`));
  return tarball;
}

/** With the person's own registry and cache. What the cache remembers of a package may be too old, so npm may ask twice. */
function install(tarball: string, prefix: string): void {
  const tries = ['--prefer-offline', '--prefer-online'].values().map((freshness) => {
    const flags = [
      '--global',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      '--fetch-retry-mintimeout=1000',
      freshness,
    ];
    const env = { ...process.env, PATH: BARE_PATH.join(':') };
    return spawnSync('npm', ['install', ...flags, tarball], {
      cwd: prefix,
      env,
      encoding: 'utf8',
      timeout: INSTALL_MS,
    });
  });
  const worked = tries.some(({ status, stderr, error }) => {
    if (status !== 0) process.stderr.write(`${error?.message ?? stderr}\n`);
    return status === 0;
  });
  expect(worked, 'npm installs the tarball (is the registry within reach?)').toBe(true);
}

function versionOf(folder: string): string {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
}

/** Where the links of a page to other files lead. */
function linksOf(page: string): ReadonlyArray<string> {
  const links = readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g);
  return [...links].map(([, target = '']) => path.join(path.dirname(page), target));
}
