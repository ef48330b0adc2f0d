import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ENTRY = path.join(import.meta.dirname, 'attractor.ts');
const TELL = `process.on('exit', () => console.log(process.getBuiltinModule('module').getCompileCacheDir() ?? 'none'))`;

/** Where the command keeps compiled code, as Node itself tells it. */
function cacheIn(env: Readonly<Record<string, string>>): string {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`, ENTRY, '--version'];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
}

it("keeps compiled code in the person's own folder, and nowhere when that is not known", () => {
  const home = mkdtempSync(path.join(tmpdir(), 'attractor-entry-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  expect(cacheIn({ HOME: home })).toContain(path.join(home, '.attractor/cache/compile'));
  expect(cacheIn({ HOME: home, ATTRACTOR_HOME: path.join(home, 'other') })).toContain(path.join(home, 'other/cache'));
  expect(cacheIn({})).toBe('none');
});
