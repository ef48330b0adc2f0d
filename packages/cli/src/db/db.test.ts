import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@attractor/store';
import { fillHistory } from '@attractor/store/testing';
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

  it('moves old transcripts into files and gives room back, or only says so', async () => {
    const home = makeHome();
    const opened = await openStore({ home });
    if (!opened.ok) throw new Error(opened.error.message);
    await fillHistory(opened.value, 300);
    await opened.value.transact(async (tx) => {
      const long = '2020-01-01T00:00:00.000Z';
      await tx.updateTable('runs').set({ finished_at: long }).where('status', '=', 'completed').execute();
      await tx.updateTable('tasks').set({ updated_at: long }).execute();
    });
    await opened.value.close();
    const trial = await db(home, ['archive', '--older-than', '90', '--dry-run']);
    expect([trial.stdout, existsSync(join(home, 'archive'))]).toEqual(['Would move 300 messages of 3 runs.\n', false]);
    expect((await db(home, ['archive'])).stdout).toContain('keeps everything. Give --older-than');
    const moved = await db(home, ['archive', '--older-than', '90', '--compact']);
    expect(moved.stdout).toMatch(
      /^Moved 300 messages of 3 runs into [\d.]+ KB of files\.\nThe database has .*; it had /,
    );
    const told = await runCommand(['runs', 'transcript', 'run_h1'], { env: { HOME: home, ATTRACTOR_HOME: home } });
    expect([told.exit, told.stdout]).toEqual([0, expect.stringContaining('word word')]);
  });

  it('says in one line what is wrong, with the exit code for it', async () => {
    const home = makeHome();
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string, Record<string, string>]> = [
      [['migrate'], 2, '--to', {}],
      [['migrate', '--to', 'mysql://x'], 2, 'sqlite:PATH', {}],
      [['migrate', '--to', 'postgres://nobody:secret@127.0.0.1:1/x'], 5, '127.0.0.1:1', {}],
      [['backup', join(home, 'b.db')], 3, 'no database', { ATTRACTOR_HOME: join(home, 'none') }],
      [['restore', join(home, 'none.db'), '--yes'], 3, 'no file', {}],
      [['archive', '--older-than', 'soon'], 2, 'a number of days', {}],
      [['archive', '--project', 'NONE'], 3, 'projects list', {}],
      [['archive', '--compact'], 4, 'VACUUM', { ATTRACTOR_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }],
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
