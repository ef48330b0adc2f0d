/**
 * Frames in a second to a thousand viewers next to a bare server of node:http, and requests of the board next to a bare Hono app that
 * answers the same. `viewers` or `board` measures one of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '../measuring/bundle.ts';
import { ended, startProgram } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';

const ROUNDS = 3;
const VIEWERS = 1_000;
const EVENTS = 200;
const REQUESTS = 2_000;

type Place = { readonly url: string; readonly token: string };
type Kind = 'ours' | 'bare';
type Load = {
  readonly name: string;
  readonly unit: string;
  readonly least: number;
  readonly args: ReadonlyArray<number>;
};

const LOADS: ReadonlyArray<Load> = [
  { name: 'viewers', unit: `frames to ${VIEWERS} viewers`, least: 0.6, args: [VIEWERS, EVENTS] },
  { name: 'board', unit: 'requests of the board', least: 0.5, args: [16, REQUESTS] },
];

const folder = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
const boardFile = join(folder, 'board.json');
const [served, load] = await Promise.all(
  ['served.ts', 'load.ts'].map((file) => bundleProgram(join(import.meta.dirname, file))),
);
const [wanted] = process.argv.slice(2);

try {
  await keepBoard();
  for (const one of LOADS) if (wanted === undefined || wanted === one.name) await compare(one);
} finally {
  await Promise.all([served?.remove(), load?.remove()]);
  rmSync(folder, { recursive: true, force: true });
}

async function compare({ name, unit, least, args }: Load): Promise<void> {
  const rates: Record<Kind, number[]> = { bare: [], ours: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of ['bare', 'ours'] as const) rates[kind].push(await rate(kind, name, args));
  const [bare, ours] = [median(rates.bare), median(rates.ours)];
  const met = ours / bare >= least;
  console.log(`${unit}, in a second (median of ${ROUNDS}, taking turns)\n`);
  console.log(`  bare ${bare.toFixed(0).padStart(8)}\n  ours ${ours.toFixed(0).padStart(8)}`);
  console.log(`\n${(ours / bare).toFixed(2)} of the bare server, at least ${least} wanted: ${met ? 'met' : 'MISSED'}`);
  console.log(JSON.stringify({ bench: `server/${name}`, bare, ours, ratio: ours / bare, rates, met }));
  if (!met) process.exitCode = 1;
}

async function rate(kind: Kind, what: string, args: ReadonlyArray<number>): Promise<number> {
  return withServer(kind, async ({ url, token }, happen) => {
    const client = startProgram(load?.file ?? '', [what, url, token, ...args.map(String)]);
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
    await lines.next();
    if (what === 'viewers') happen(EVENTS);
    const { value } = await lines.next();
    await ended(client);
    const { perSecond }: { readonly perSecond: number } = JSON.parse(String(value));
    return perSecond;
  });
}

/** What the bare server answers is what ours does. */
async function keepBoard(): Promise<void> {
  await withServer('ours', async ({ url, token }) => {
    const response = await fetch(`${url}/api/views/task-list`, { headers: { authorization: `Bearer ${token}` } });
    writeFileSync(boardFile, await response.text());
  });
}

async function withServer<Value>(
  kind: Kind,
  act: (place: Place, happen: (count: number) => void) => Promise<Value>,
): Promise<Value> {
  const server = startProgram(served?.file ?? '', [kind, boardFile]);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  try {
    return await act(JSON.parse(String(value)), (count) => void server.stdin.write(`${count}\n`));
  } finally {
    server.stdin.end();
    await ended(server);
  }
}
