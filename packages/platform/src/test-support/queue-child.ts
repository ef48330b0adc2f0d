import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimJob } from '../queue/claim.ts';
import { finishJob, holdsClaim, openStore, ownName, type StoreLocation } from '@attractor/store';

/**
 * A worker in a separate process. `all`: claims and finishes until nothing is left, one line for each run. `one`: claims a run with a short
 * lease, prints that, waits for a line on stdin and then tries to end the run: `written` or `refused`.
 */
const [mode, place = '{}'] = process.argv.slice(2);
const location: StoreLocation = JSON.parse(place);
const opened = await openStore(location);
if (!opened.ok) throw new Error(opened.error.message);
const store = opened.value;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (mode === 'all') {
  say('ready');
  await firstLine();
  for (;;) {
    const claim = await claimJob(store, { owner: ownName(), leaseMs: 3_600_000 });
    if (claim === null) break;
    say(claim.runId);
    await store.transact((tx) => finishJob(tx, claim));
  }
} else {
  let claim = await claimJob(store, { owner: ownName(), leaseMs: 400 });
  while (claim === null) {
    await sleep(20);
    claim = await claimJob(store, { owner: ownName(), leaseMs: 400 });
  }
  const held = claim;
  say('claimed');
  await firstLine();
  const written = await store.transact(async (tx) => {
    if (!(await holdsClaim(tx, held))) return false;
    await finishJob(tx, held);
    return true;
  });
  say(written ? 'written' : 'refused');
}
await store.close();

async function firstLine(): Promise<void> {
  for await (const _line of createInterface({ input: process.stdin })) return;
}
