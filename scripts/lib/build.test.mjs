import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommand, builtFiles, ensureBuilt, isBuilt } from './build.mjs';

const CHECKOUT = dirname(dirname(import.meta.dirname));

const SOURCES = {
  'package.json': '{ "name": "sample", "type": "module" }',
  'package-lock.json': '{}',
  'packages/cli/package.json': '{ "type": "module" }',
  'packages/cli/src/attractor.ts': `
    const { main } = await import('./main.ts');
    process.exitCode = await main(process.argv.slice(2));`,
  'packages/cli/src/main.ts': `
    export async function main(argv: string[]): Promise<number> {
      if (argv[0] === 'lazy') console.log((await import('./lazy.ts')).word);
      return 7;
    }`,
  'packages/cli/src/headless/main.ts': `export async function main(): Promise<number> { return 8; }`,
  'packages/cli/src/converse/main.ts': `export async function main(): Promise<number> { return 9; }`,
  'packages/agent/src/open/session-servers.ts': `export function openSessionServers(): void {}`,
  'packages/cli/src/hand-over.ts': `export function handOver(): void {}`,
  'packages/cli/src/lazy.ts': `
    import { sep } from './old.cjs';
    export const word: string = 'lazily ' + sep;`,
  'packages/cli/src/old.cjs': `exports.sep = require('node:path').sep;`,
  'packages/web/package.json': '{ "type": "module" }',
  'packages/web/index.html': '<!doctype html><script type="module" src="/src/page.ts"></script>',
  'packages/web/src/page.ts': `document.title = 'sample';`,
};

describe('the build', () => {
  let root;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'attractor-build-'));
    for (const [path, text] of Object.entries(SOURCES)) write(path, text);
    symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
    cpSync(join(CHECKOUT, 'packages/cli/bin'), join(root, 'packages/cli/bin'), { recursive: true });
    expect(await ensureBuilt(root, () => {})).toBe(true);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function write(path, text) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  const attractor = (...args) => spawnSync(process.execPath, [builtCommand(root), ...args], { encoding: 'utf8' });

  it('makes an executable command whose exit code is that of main', () => {
    expect(statSync(builtCommand(root)).mode & 0o111).toBe(0o111);
    expect(readFileSync(builtCommand(root), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(spawnSync(builtCommand(root)).status).toBe(7);
  });

  it('loads chunks and CommonJS code on demand', () => {
    expect(attractor('lazy').stdout).toBe('lazily /\n');
  });

  it('puts the web app beside the command', () => {
    expect(existsSync(join(root, 'packages/cli/dist/web/index.html'))).toBe(true);
  });

  it('builds nothing while no source changes, tests and documents included', async () => {
    write('packages/cli/src/main.test.ts', '');
    write('packages/cli/README.md', '');
    expect(isBuilt(root)).toBe(true);
    expect(await ensureBuilt(root, () => {})).toBe(false);
  });

  it('keeps a running command whole through a rebuild', async () => {
    write(
      'packages/cli/src/main.ts',
      SOURCES['packages/cli/src/main.ts'].replace(
        'if',
        'console.log("runs"); process.stdin.once("data", async () => console.log((await import("./lazy.ts")).word)); if',
      ),
    );
    await ensureBuilt(root, () => {});
    const running = spawn(process.execPath, [builtCommand(root)], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(running.stdout, 'data');
    write('packages/cli/src/lazy.ts', `export const word: string = 'another';`);
    expect(isBuilt(root)).toBe(false);
    await ensureBuilt(root, () => {});
    running.stdin.end('now\n');
    const [chunk] = await once(running.stdout, 'data');
    expect(String(chunk)).toBe('lazily /\n');
    await once(running, 'exit');
  });

  it('holds the files of one build and no other', () => {
    const dist = dirname(builtCommand(root));
    const found = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = found.map((entry) => relative(realpathSync(dist), join(realpathSync(entry.parentPath), entry.name)));
    expect(paths.toSorted()).toEqual(['.built.json', ...builtFiles(root)].toSorted());
  });

  it('takes the place of the folder that older versions built into', async () => {
    const dist = dirname(builtCommand(root));
    rmSync(dist);
    write('packages/cli/dist/chunks/old.js', '');
    expect(await ensureBuilt(root, () => {})).toBe(true);
    expect(existsSync(join(dist, 'chunks/old.js'))).toBe(false);
    expect(attractor().status).toBe(7);
  });

  it('leaves the last good build in place when a source is broken, and says where', async () => {
    write('packages/cli/src/main.ts', 'export const = 1;');
    await expect(ensureBuilt(root, () => {})).rejects.toThrow(/could not be built[^]*main\.ts/);
    expect(attractor().status).toBe(7);
  });

  it('has a committed command that says what to do before anything is built', () => {
    rmSync(join(root, 'packages/cli/dist'), { recursive: true });
    const before = spawnSync(join(root, 'packages/cli/bin/attractor.js'), { encoding: 'utf8' });
    expect(before.status).toBe(1);
    expect(before.stderr).toContain('npm run build');
  });
});
