import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '@attractor/base/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../test-support/run-command.ts';

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'attractor-db-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function attractor(home: string, args: ReadonlyArray<string>, env: Record<string, string> = {}): Promise<Ran> {
  const program = join(import.meta.dirname, '..', 'attractor.ts');
  return new Promise((resolve) => {
    const options = {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ATTRACTOR_HOME: home, ...compileCache(), ...env },
    };
    execFile(process.execPath, [program, 'db', ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('attractor db', () => {
  it('moves the database into a file, backs it up and restores it', async () => {
    const home = makeHome();
    const target = join(home, 'other', 'moved.db');
    const moved = await attractor(home, ['migrate', '--to', `sqlite:${target}`, '--json']);
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    expect(JSON.parse(moved.stdout)).toMatchObject({ rows: 0, tables: { tasks: 0 } });
    const file = join(home, 'copy.db');
    expect((await attractor(home, ['backup', file])).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    expect((await attractor(home, ['restore', file])).code).toBe(4);
    const restored = await attractor(home, ['restore', file, '--yes', '--json']);
    expect([restored.code, existsSync(JSON.parse(restored.stdout).kept)]).toEqual([0, true]);
  });

  it('says in one line what is wrong, with the exit code for it', async () => {
    const home = makeHome();
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string, Record<string, string>]> = [
      [['migrate'], 2, '--to', {}],
      [['migrate', '--to', 'mysql://x'], 2, 'sqlite:PATH', {}],
      [['migrate', '--to', 'postgres://nobody:secret@127.0.0.1:1/x'], 5, '127.0.0.1:1', {}],
      [['backup', join(home, 'b.db')], 3, 'no database', { ATTRACTOR_HOME: join(home, 'none') }],
      [['restore', join(home, 'none.db'), '--yes'], 3, 'no file', {}],
      [['backup', join(home, 'c.db')], 4, 'pg_dump', { ATTRACTOR_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }],
    ];
    for (const [args, code, words, env] of cases) {
      const ran = await runCommand(['db', ...args], { env: { HOME: home, ATTRACTOR_HOME: home, ...env } });
      expect({ args, code: ran.exit, told: ran.stderr.includes(words) }).toEqual({ args, code, told: true });
      expect(ran.stderr.trim().split('\n').length).toBe(1);
      expect(ran.stderr).not.toContain('secret');
      expect(ran.stdout).toBe('');
    }
  });
});
