import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, type StoreLocation } from '../database/open-store.ts';
import { sharedDatabase } from '../test-support/shared-database.ts';
import { makeFolder, must } from '../test-support/world.ts';
import { foldDelta, type LiveText, NO_LIVE_TEXT } from '../types/live-text.ts';
import { createDeltaFan } from './delta-fan.ts';

async function openProcess(location: StoreLocation) {
  const store = must(await openStore(location));
  onTestFinished(() => store.close());
  return createDeltaFan(store.live);
}

/** What somebody sees who comes now. */
function joined(fan: ReturnType<typeof createDeltaFan>): LiveText {
  let live = NO_LIVE_TEXT;
  fan.listen((delta) => (live = foldDelta(live, delta)))();
  return live;
}

const DATABASES: ReadonlyArray<readonly [string, () => Promise<StoreLocation>]> = [
  ['PostgreSQL', async () => ({ databaseUrl: await sharedDatabase() })],
  ['embedded', async () => ({ home: makeFolder() })],
];

it.each(DATABASES)(
  'live text of a worker reaches who watches another process, from its beginning: %s',
  async (_name, make) => {
    const location = await make();
    const [worker, server] = [await openProcess(location), await openProcess(location)];
    const place = { taskId: 'tsk_1', runId: 'run_1' };
    const say = (text: string) => worker.send({ ...place, delta: { kind: 'text_delta', text } });
    const heard: string[] = [];
    server.listen(({ delta }) => heard.push(typeof delta['text'] === 'string' ? delta['text'] : delta.kind));
    const eventually = async (text: string): Promise<void> => {
      await expect.poll(() => joined(server).text).toBe(text);
    };

    // The connection that listens may not be there yet; what was missed before is missed.
    await expect.poll(() => (say('.'), joined(server).text), { interval: 300 }).toContain('.');
    worker.send({ ...place, delta: { kind: 'reset' } });
    const long = 'ü"\u0000'.repeat(2_000);
    say('Once ');
    say(long);
    await eventually(`Once ${long}`);
    expect(heard.slice(heard.lastIndexOf('reset') + 1).join('')).toBe(`Once ${long}`);
    const before = heard.length;
    worker.settle(place.runId, { kind: 'text', text: `Once ${long}` });
    await eventually('');
    expect(heard).toHaveLength(before);
    say('Then');
    await eventually('Then');
    worker.forget(place.runId);
    await eventually('');
  },
);

it('an embedded database keeps nothing of a process that is gone, and who comes late hears what is said now', async () => {
  const home = makeFolder();
  mkdirSync(join(home, 'live'), { recursive: true });
  const dead = join(home, 'live', '4194304-00000000.jsonl');
  const said = { by: 'prc_x', taskId: 'tsk_1', runId: 'run_0', deltas: [{ kind: 'text_delta', text: 'Long ago' }] };
  writeFileSync(dead, `${JSON.stringify(said)}\n`);
  const worker = must(await openStore({ home }));
  const fan = createDeltaFan(worker.live);
  fan.send({ taskId: 'tsk_1', runId: 'run_1', delta: { kind: 'text_delta', text: 'Now' } });
  const files = () => readdirSync(join(home, 'live'));
  await expect.poll(() => files().length).toBe(2);
  const server = await openProcess({ home });
  await expect.poll(() => joined(server).text).toBe('Now');
  await worker.close();
  await expect.poll(files).toEqual([]);
});
