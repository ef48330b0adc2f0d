import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from './failure.mjs';
import { ensureInstalled } from './install.mjs';
import { isStamped, matchesLockfile, stamp } from './installed.mjs';

const ROOT_MANIFEST = { name: 'sample', dependencies: { left: '1.0.0' } };
const LEFT = { version: '1.0.0', integrity: 'sha512-left' };

describe('whether the dependencies are installed', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'attractor-installed-'));
    write('package.json', ROOT_MANIFEST);
    write('packages/cli/package.json', { name: '@attractor/cli' });
    write('package-lock.json', lockOf(LEFT));
    write('node_modules/.package-lock.json', { packages: { 'node_modules/left': LEFT } });
    write('node_modules/left/package.json', { name: 'left' });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path, value) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }

  function lockOf(left) {
    return {
      packages: {
        '': ROOT_MANIFEST,
        'packages/cli': { name: '@attractor/cli' },
        'node_modules/left': left,
        'node_modules/for-another-machine': { version: '1.0.0', optional: true },
      },
    };
  }

  it('accepts an install made by hand, stamps it and links the command', async () => {
    expect(isStamped(root)).toBe(false);
    expect(await ensureInstalled(root, () => {})).toBe(false);
    expect(isStamped(root)).toBe(true);
    expect(readlinkSync(join(root, 'node_modules/.bin/attractor'))).toBe('../@attractor/cli/bin/attractor.js');
  });

  it('sees a changed lockfile', () => {
    stamp(root);
    write('package-lock.json', lockOf({ version: '2.0.0', integrity: 'sha512-new' }));
    expect(isStamped(root)).toBe(false);
    expect(matchesLockfile(root)).toBe(false);
  });

  it('sees a package that is gone', () => {
    rmSync(join(root, 'node_modules/left'), { recursive: true });
    expect(matchesLockfile(root)).toBe(false);
  });

  it('sees a manifest that asks for something else than the lockfile', () => {
    write('package.json', { ...ROOT_MANIFEST, dependencies: { left: '1.0.0', right: '1.0.0' } });
    expect(matchesLockfile(root)).toBe(false);
  });

  it('installs nothing when only a script of a manifest changed', async () => {
    stamp(root);
    write('package.json', { ...ROOT_MANIFEST, scripts: { hello: 'true' } });
    expect(await ensureInstalled(root, () => {})).toBe(false);
    expect(isStamped(root)).toBe(true);
  });

  it('calls npm ci when node_modules is missing, and stamps what it made', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    const npm = program(`
      require('node:fs').mkdirSync('node_modules');
      require('node:fs').writeFileSync('node_modules/called-with', process.argv.slice(2).join(' '));`);
    const said = [];
    expect(await ensureInstalled(root, (line) => said.push(line), npm)).toBe(true);
    expect(readFileSync(join(root, 'node_modules/called-with'), 'utf8')).toMatch(
      /^ci .*--include=dev .*--ignore-scripts/,
    );
    expect(isStamped(root)).toBe(true);
    expect(said).toEqual([expect.stringContaining('installing'), expect.stringMatching(/^installed in \d+ s$/)]);
  });

  it.each([
    ['npm error code EUSAGE', 'Run `npm install` once'],
    ['npm error code ENOTFOUND', 'registry could not be reached'],
    ['npm error code ENOSPC', 'disk is full'],
    ['something new', 'try `npm ci` by hand'],
  ])('says what to do after %j, and leaves no stamp', async (words, remedy) => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    const npm = program(`console.error(${JSON.stringify(words)}); process.exit(1);`);
    const failure = await ensureInstalled(root, () => {}, npm).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.message).toContain(words);
    expect(failure.message).toContain(remedy);
    expect(isStamped(root)).toBe(false);
  });

  it('says so when there is no npm', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    await expect(ensureInstalled(root, () => {}, [join(root, 'npm')])).rejects.toThrow('npm was not found');
  });

  function program(source) {
    writeFileSync(join(root, 'npm.cjs'), source);
    return [process.execPath, join(root, 'npm.cjs')];
  }
});
