import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importEffects } from './import-effects.ts';
import { judge, plant } from './planted.ts';
import { CHECKOUT } from './tree.ts';

const FILE = 'packages/llm/src/a.ts';

describe('effects at import, read from the source', () => {
  it.each([
    ['a call', `start();`],
    ['a branch', `if (globalThis.window) { throw new Error('no'); }`],
    ['a wait', `export const x = await Promise.resolve(1);`],
    ['a timer', `const timer = setInterval(() => {}, 1000);`],
    ['a file read', `import { readFileSync } from 'node:fs'; const text = readFileSync('a', 'utf8');`],
    ['a file read by namespace', `import fs from 'node:fs'; const text = fs.readFileSync('a', 'utf8');`],
    ['the environment', `export const key = process.env.KEY;`],
    ['a lazy import that is not lazy', `const later = import('./b.ts');`],
    ['an effect inside a table', `import { hostname } from 'node:os'; export const TABLE = { name: hostname() };`],
  ])('refuses %s', (_what, text) => {
    expect(judge(importEffects, { [FILE]: text })).toEqual([expect.stringContaining(`${FILE}:1`)]);
  });

  it('allows declarations, tables, schemas and functions that act when called', () => {
    const text = `
      import { readFileSync } from 'node:fs';
      import { join } from 'node:path';
      import { z } from 'zod';
      export type { A } from './b.ts';
      export const SHAPE = z.object({ a: z.string() });
      export const PLACE = join(import.meta.dirname, 'a');
      const KNOWN = new Set(['a'].map((name) => name.trim()));
      export const read = () => readFileSync(PLACE, 'utf8');
      export class Reader { read() { setTimeout(() => {}, process.uptime()); } }
      export function main() { process.exit(KNOWN.size); }`;
    expect(judge(importEffects, { [FILE]: text })).toEqual([]);
  });

  it('leaves programs and tests alone', () => {
    const files = { 'packages/cli/src/attractor.ts': 'start();', 'packages/llm/src/a.test.ts': 'start();' };
    expect(judge(importEffects, files)).toEqual([]);
  });
});

/* The permission model refuses writes, children and workers; open handles and output are seen at the end. */
function importAlone(...modules: ReadonlyArray<string>): string {
  const program = `for (const module of ${JSON.stringify(modules)}) {
      await import(module).catch((error) => { console.error(module, error); process.exit(1); });
      const open = process.getActiveResourcesInfo().filter((kind) => !/^(TTY|Pipe|FSReq)/.test(kind));
      if (open.length > 0) { console.error(module, 'leaves open', open.join()); process.exit(1); }
    }`;
  const flags = ['--permission', '--allow-fs-read=*', '--no-warnings', '--input-type=module'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  return status === 0 && stdout === '' && stderr === '' ? 'quiet' : `${stdout}${stderr}`;
}

describe('effects at import, seen in a process', () => {
  it.each([
    ['writes a file', `import { writeFileSync } from 'node:fs'; writeFileSync('/nowhere', '');`],
    ['starts a child', `import { spawn } from 'node:child_process'; spawn('true');`],
    ['keeps a timer', `setInterval(() => {}, 1000);`],
    ['listens', `import net from 'node:net'; net.createServer().listen(0);`],
    ['prints', `console.log('hello');`],
  ])('shows a module that %s', (_what, text) => {
    const { root } = plant({ 'a.ts': text });
    expect(importAlone(join(root, 'a.ts'))).not.toBe('quiet');
  });

  const names = [
    'llm',
    'agent',
    'executor',
    'adapters',
    'store',
    'repository',
    'project-config',
    'analytics',
    'people',
    'pipeline',
    'states',
    'notify',
    'platform',
    'api',
    'server',
    'simulator',
  ];
  const doors = names.map((name) => `packages/${name}/src/index.ts`).filter((door) => existsSync(join(CHECKOUT, door)));
  it(`shows none in ${doors.length} front doors and the command`, () => {
    const programs = [...doors, 'packages/cli/src/main.ts'].map((door) => join(CHECKOUT, door));
    expect(importAlone(...programs)).toBe('quiet');
  });
});
