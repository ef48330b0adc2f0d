import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '@attractor/base/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimJob } from '../queue/claim.ts';
import { holdsClaim, openStore, type Store, type StoreLocation } from '@attractor/store';
import { ME, putQueued, putQueueProject } from './queue-contract.ts';
import { must, runs } from '@attractor/store/testing';

const PROGRAM = fileURLToPath(new URL('queue-child.ts', import.meta.url));

type Child = {
  readonly process: ChildProcessWithoutNullStreams;
  readonly line: () => Promise<string>;
  readonly rest: () => Promise<ReadonlyArray<string>>;
};

function start(mode: 'all' | 'one', location: StoreLocation): Child {
  const child = spawn(process.execPath, [bundledProgram(PROGRAM), mode, JSON.stringify(location)], { stdio: 'pipe' });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done === true) throw new Error(`The worker ended: ${errors.join('')}`);
    return next.value;
  };
  const rest = async (): Promise<ReadonlyArray<string>> => {
    const all: string[] = [];
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) all.push(next.value);
    return all;
  };
  return { process: child, line, rest };
}

/** In each of two projects. */
const RACES = runs(1) > 1 ? 200 : 8;

/** What must hold between processes, on every store. */
export function describeQueueProcesses(name: string, makeLocation: () => Promise<StoreLocation>): void {
  const open = async (location: StoreLocation): Promise<Store> => {
    const store = must(await openStore(location));
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: workers in processes of their own`, () => {
    it(`win each of ${2 * RACES} races once`, async () => {
      const location = await makeLocation();
      const store = await open(location);
      const projects = [await putQueueProject(store), await putQueueProject(store)];
      const put = await store.transact(async (tx) => {
        const all: string[] = [];
        for (let index = 0; index < RACES; index += 1)
          for (const project of projects) all.push(await putQueued(tx, project));
        return all;
      });
      const children = [start('all', location), start('all', location), start('all', location)];
      for (const child of children) expect(await child.line()).toBe('ready');
      for (const child of children) child.process.stdin.end('go\n');
      const won = await Promise.all(children.map((child) => child.rest()));
      expect(won.flat().toSorted()).toEqual(put.toSorted());
    });

    it('lose the run while they are frozen: the late word of one that thaws is refused', async () => {
      const location = await makeLocation();
      const store = await open(location);
      const project = await putQueueProject(store);
      const runId = await store.transact((tx) => putQueued(tx, project));
      const child = start('one', location);
      expect(await child.line()).toBe('claimed');
      child.process.kill('SIGSTOP');
      let claim = await claimJob(store, ME);
      for (; claim === null; claim = await claimJob(store, ME)) await sleep(50);
      expect(claim).toMatchObject({ runId, fence: 2 });
      child.process.kill('SIGCONT');
      child.process.stdin.end('go\n');
      expect(await child.line()).toBe('refused');
      expect(await holdsClaim(store.read, claim)).toBe(true);
      if (child.process.exitCode === null) await once(child.process, 'exit');
    });
  });
}
