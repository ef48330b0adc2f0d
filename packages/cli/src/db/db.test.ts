import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ran, runCommand } from '../test-support/run-command.ts';

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'attractor-db-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function db(home: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return runCommand(['db', ...args], { env: { HOME: home, ATTRACTOR_HOME: home, ...env } });
}

describe('attractor db', () => {
  it('moves the database into a file, backs it up and restores it', async () => {
    const home = makeHome();
    const target = join(home, 'other', 'moved.db');
    const moved = await db(home, ['migrate', '--to', `sqlite:${target}`, '--json']);
    expect([moved.exit, moved.stderr]).toEqual([0, '']);
    expect(JSON.parse(moved.stdout)).toMatchObject({ rows: 0, tables: { tasks: 0 } });
    const file = join(home, 'copy.db');
    expect((await db(home, ['backup', file])).exit).toBe(0);
    expect(existsSync(file)).toBe(true);
    expect((await db(home, ['restore', file])).exit).toBe(4);
    const restored = await db(home, ['restore', file, '--yes', '--json']);
    expect([restored.exit, existsSync(JSON.parse(restored.stdout).kept)]).toEqual([0, true]);
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
      const ran = await db(home, args, env);
      expect({ args, code: ran.exit, told: ran.stderr.includes(words) }).toEqual({ args, code, told: true });
      expect(ran.stderr.trim().split('\n').length).toBe(1);
      expect(ran.stderr).not.toContain('secret');
      expect(ran.stdout).toBe('');
    }
  });
});
