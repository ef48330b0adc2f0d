/**
 * Frames in a second to a thousand viewers next to a bare server of node:http that sends the same bytes, and requests of the board next to a
 * bare Hono app that answers the same. `viewers`: as many events as there are, as fast as they come; ours then sends together what happens
 * while a write is under way. `steps`: the next event happens once all have the last, so that neither gathers; ours stores it first.
 * A name measures one of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '../measuring/bundle.ts';
import { ended, startProgram } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';

const ROUNDS = 5;
const VIEWERS = 1_000;
const EVENTS = 200;
const STEPS = 50;
const REQUESTS = 2_000;

type Place = { readonly url: string; readonly token: string };
type Kind = 'ours' | 'bare';
type Load = {
  readonly name: string;
  readonly unit: string;
  /** Of what the bare server does. Null: told only. */
  readonly least: number | null;
  readonly args: ReadonlyArray<number>;
};

const LOADS: ReadonlyArray<Load> = [
  { name: 'viewers', unit: `frames to ${VIEWERS} viewers`, least: 0.6, args: [VIEWERS, EVENTS, EVENTS] },
  { name: 'steps', unit: `frames to ${VIEWERS} viewers, an event at a time`, least: null, args: [VIEWERS, STEPS, 1] },
  { name: 'board', unit: 'requests of the board', least: 0.5, args: [16, REQUESTS] },
];

const folder = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
const boardFile = join(folder, 'board.json');
const eventFile = join(folder, 'event.json');
const [served, load] = await Promise.all(
  ['served.ts', 'load.ts'].map((file) => bundleProgram(join(import.meta.dirname, file))),
);
const [only] = process.argv.slice(2);

try {
  await keepAnswers();
  for (const one of LOADS) if (only === undefined || only === one.name) await compare(one);
} finally {
  await Promise.all([served?.remove(), load?.remove()]);
  rmSync(folder, { recursive: true, force: true });
}

async function compare({ name, unit, least, args }: Load): Promise<void> {
  const rates: Record<Kind, number[]> = { bare: [], ours: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of ['bare', 'ours'] as const) rates[kind].push(await rate(kind, name, args));
  const [bare, ours] = [median(rates.bare), median(rates.ours)];
  const met = least === null || ours / bare >= least;
  const wanted = least === null ? '' : `, at least ${least} wanted: ${met ? 'met' : 'MISSED'}`;
  console.log(`${unit}, in a second (median of ${ROUNDS}, taking turns)\n`);
  console.log(`  bare ${bare.toFixed(0).padStart(8)}\n  ours ${ours.toFixed(0).padStart(8)}`);
  console.log(`\n${(ours / bare).toFixed(2)} of the bare server${wanted}`);
  console.log(JSON.stringify({ bench: `server/${name}`, bare, ours, ratio: ours / bare, rates, met }));
  if (!met) process.exitCode = 1;
}

async function rate(kind: Kind, what: string, args: ReadonlyArray<number>): Promise<number> {
  return withServer(kind, async ({ url, token }, happen) => {
    const client = startProgram(load?.file ?? '', [what, url, token, ...args.map(String)]);
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const [, , step] = args;
    let line = 'next';
    while (line === 'next') {
      if (step !== undefined) happen(step);
      line = String((await lines.next()).value);
    }
    await ended(client);
    const { perSecond }: { readonly perSecond: number } = JSON.parse(line);
    return perSecond;
  });
}

/** What the bare server answers and sends is what ours does. */
async function keepAnswers(): Promise<void> {
  await withServer('ours', async ({ url, token }) => {
    const read = async (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    writeFileSync(boardFile, await (await read('/api/views/task-list')).text());
    const events: unknown = await (await read('/api/events/page?from=newest&limit=1')).json();
    writeFileSync(eventFile, JSON.stringify(Array.isArray(events) ? events[0] : events));
  });
}

async function withServer<Value>(
  kind: Kind,
  act: (place: Place, happen: (count: number) => void) => Promise<Value>,
): Promise<Value> {
  const server = startProgram(served?.file ?? '', [kind, boardFile, eventFile]);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  try {
    return await act(JSON.parse(String(value)), (count) => void server.stdin.write(`${count}\n`));
  } finally {
    server.stdin.end();
    await ended(server);
  }
}
