import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../database/open-store.ts';
import { sharedDatabase } from '../test-support/shared-database.ts';
import { must } from '../test-support/world.ts';
import { foldDelta, type LiveText, NO_LIVE_TEXT } from '../types/live-text.ts';
import { createDeltaFan } from './delta-fan.ts';

async function openProcess(databaseUrl: string) {
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  return createDeltaFan(store.live);
}

/** What somebody sees who comes now. */
function joined(fan: ReturnType<typeof createDeltaFan>): LiveText {
  let live = NO_LIVE_TEXT;
  fan.listen((delta) => (live = foldDelta(live, delta)))();
  return live;
}

it('live text of a worker reaches who watches another process of the database, from its beginning, and ends there too', async () => {
  const databaseUrl = await sharedDatabase();
  const [worker, server] = [await openProcess(databaseUrl), await openProcess(databaseUrl)];
  const place = { taskId: 'tsk_1', runId: 'run_1' };
  const say = (text: string) => worker.send({ ...place, delta: { kind: 'text_delta', text } });
  const heard: string[] = [];
  server.listen(({ delta }) => heard.push(typeof delta['text'] === 'string' ? delta['text'] : delta.kind));
  const eventually = async (text: string): Promise<void> => {
    await expect.poll(() => joined(server).text, { timeout: 60_000 }).toBe(text);
  };

  // The connection that listens may not be there yet; what was missed before is missed.
  await expect.poll(() => (say('.'), joined(server).text), { timeout: 60_000, interval: 300 }).toContain('.');
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
});
