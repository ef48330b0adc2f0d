import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { ENV } from '@attractor/repository/testing';
import { startProxy } from '@attractor/store/testing';
import { onTestFinished } from 'vitest';
import { makeSmallDisk, type SmallDisk } from './small-disk.ts';

const CHILD = 'tests/chaos/test-support/chaos-child.ts';
const HERE = join(import.meta.dirname, '../..');

/** A process that is started again when it was lost, behind its own line to the database. */
export type Member = {
  readonly line: Awaited<ReturnType<typeof startProxy>>;
  /** Null: its disk is the one of all. */
  readonly disk: SmallDisk | null;
  readonly pid: () => number | undefined;
  /** Where it is now; those before it are lost. */
  readonly home: () => string;
  readonly temporary: string;
  /** In its old home, or in a new one. */
  readonly start: (home?: 'new') => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly end: () => Promise<void>;
};

export type MemberPlace = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly model: string;
  readonly name: string;
  readonly concurrency: number;
  readonly clockMs: number;
  /** By all that it says of itself it is on a machine of its own. */
  readonly isApart: boolean;
  /** Home and temporary files are on a disk of its own, which can be filled. */
  readonly hasSmallDisk?: boolean;
  /** A checkout of an earlier version: it starts from there until that refuses the database as too new. */
  readonly before?: string | undefined;
};

const TOO_NEW = /newer version of Attractor/;

export async function makeMember(place: MemberPlace): Promise<Member> {
  const { folder, name } = place;
  const line = await startProxy(place.databaseUrl);
  onTestFinished(() => line.close());
  const disk = place.hasSmallDisk === true ? makeSmallDisk(join(folder, `disk-${name}`)) : null;
  const root = disk?.path ?? folder;
  const temporary = join(root, `tmp-${name}`);
  mkdirSync(temporary);
  let homes = 0;
  const homeNow = (): string => join(root, `${name}-home${homes}`);
  let version = place.before ?? HERE;
  let child: ChildProcess | null = null;
  onTestFinished(() => void child?.kill('SIGKILL'));
  const begin = async (): Promise<'began' | 'ended' | 'too_new'> => {
    const { model, concurrency, clockMs } = place;
    const more = [String(concurrency), name, String(clockMs), ...(place.isApart ? ['apart'] : [])];
    const args = [homeNow(), line.url, model, ...more];
    const one = spawn(process.execPath, [bundledProgram(join(version, CHILD)), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: ENV.PATH, HOME: ENV.HOME, TMPDIR: temporary, ...compileCache() },
    });
    child = one;
    let said = '';
    one.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
    const began = await Promise.race([once(one.stdout, 'data').then(() => true), once(one, 'close').then(() => false)]);
    return began ? 'began' : TOO_NEW.test(said) ? 'too_new' : 'ended';
  };
  return {
    line,
    disk,
    pid: () => child?.pid,
    home: homeNow,
    temporary,
    start: async (home) => {
      if (home === 'new') homes += 1;
      // A database that is away just now is asked again, as a service manager would have it done.
      for (;;) {
        const began = await begin();
        if (began === 'began') return;
        if (began === 'too_new') version = HERE;
        else await sleep(500);
      }
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    end: async () => {
      child?.stdin?.end();
      if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
