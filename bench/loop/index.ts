/**
 * The cost of the loop itself: `attractor -p` with its durable journal, compared with a bare loop that has the same conversation.
 * `--against FOLDER` takes the built command of another checkout along in the same rounds.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOfOther, wordsWithoutOther } from '../measuring/other-checkout.ts';
import { measureExchange, type Measured } from './exchange.ts';
import { printLoad, printVerdicts, type LoadResult } from './print.ts';
import { divide, summarise } from './standing.ts';
import { startTimedModel, type ModelPlan, type TimedModel } from './timed-model.ts';

/** Limits are ratios to the floor. */
const LOADS = [
  { tool: 'shell', turns: 50, rounds: 7, limits: { firstMs: 1.3, turnMs: 1.3, peakMb: 1.1 } },
  { tool: 'read', turns: 50, rounds: 7, limits: { firstMs: 1.3, turnMs: 1.4, peakMb: 1.1 } },
  { tool: 'shell', turns: 300, rounds: 5, limits: { firstMs: 1.3, turnMs: 1.3, growth: 1.1, peakMb: 1.1 } },
  { tool: 'read', turns: 300, rounds: 5, limits: { firstMs: 1.3, turnMs: 1.4, growth: 1.1, peakMb: 1.1 } },
] as const;

type Load = (typeof LOADS)[number];

const CALLS = {
  shell: { use: 'shell', command: 'true' },
  read: { use: 'read', path: 'lines.txt' },
} as const;

const attractor = join(import.meta.dirname, '../../packages/cli/dist/attractor.js');
const floor = join(import.meta.dirname, 'floor.mjs');
const model = 'claude-sonnet-4-5-20250929';

if (!existsSync(attractor)) {
  console.error('The command is not built. Run `npm run build` first.');
  process.exit(1);
}

const other = commandOfOther();
const world = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
const place = { folder: join(world, 'work'), home: join(world, 'home'), body: join(world, 'body.json') };
const env = { HOME: place.home, ATTRACTOR_HOME: place.home, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-bench' };

try {
  await mkdir(place.folder);
  await mkdir(place.home);
  await writeFile(join(place.folder, 'lines.txt'), lines(200));
  const results: LoadResult[] = [];
  for (const load of LOADS.filter(isWanted)) results.push(await measure(load));
  printVerdicts(results, loadavg());
} finally {
  await rm(world, { recursive: true, force: true });
}

/** `npm run bench` measures all; `node bench/loop/index.ts shell-50` one of them. */
function isWanted({ tool, turns }: Load): boolean {
  const named = wordsWithoutOther();
  return named.length === 0 || named.includes(`${tool}-${turns}`);
}

async function measure(load: Load): Promise<LoadResult> {
  await writeFile(place.body, JSON.stringify(await firstBody()));
  const server = await startTimedModel({ script: scriptFor(load), record: 'none' });
  const contenders = [
    { args: [floor, server.baseUrl, place.body, place.folder], runs: Array<Measured>() },
    { args: headless(attractor, server), runs: Array<Measured>() },
    ...(other === null ? [] : [{ args: headless(other, server), runs: Array<Measured>() }]),
  ] as const;
  try {
    for (let round = 0; round <= load.rounds; round += 1) {
      // Who comes after whom makes a difference of milliseconds.
      for (const { args, runs } of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const measured = await measureExchange({ model: server, args, env, turns: load.turns });
        if (round > 0) runs.push(measured);
      }
    }
  } finally {
    server.stop();
  }
  const [bare, own, before] = contenders;
  const summaries = { floor: summarise(bare.runs), attractor: summarise(own.runs) };
  const result = {
    name: `${load.tool}-${load.turns}`,
    rounds: load.rounds,
    ...summaries,
    other: before === undefined ? null : summarise(before.runs),
    ratio: divide(summaries.attractor, summaries.floor),
    limits: load.limits,
  };
  printLoad(result);
  return result;
}

/** The floor sends our first request, so that both have the same conversation. */
async function firstBody(): Promise<unknown> {
  const server = await startTimedModel({ script: { turns: [{ text: 'Done.' }] }, record: 'last' });
  try {
    await measureExchange({ model: server, args: headless(attractor, server), env, turns: 1 }).catch(() => undefined);
    await measureExchange({ model: server, args: headless(attractor, server), env, turns: 1 });
    return await server.lastBody();
  } finally {
    server.stop();
  }
}

function headless(command: string, { baseUrl }: TimedModel): ReadonlyArray<string> {
  const connection = ['--provider', 'anthropic', '--model', model, '--base-url', baseUrl];
  const permission = ['--permission-mode', 'bypassPermissions', '--allow-unsandboxed'];
  // A compaction would restart the script: it finds its place by the length of the conversation.
  const config = JSON.stringify({ loopDetectionWindow: 0, contextWindowSize: 100_000_000 });
  const session = ['--cwd', place.folder, '--config', config];
  return [command, '-p', 'Go on until I say stop.', ...connection, ...permission, ...session];
}

function scriptFor({ tool, turns }: Load): ModelPlan['script'] {
  return { turns: [{ toolCalls: [CALLS[tool]], repeat: turns - 1 }, { text: 'Done.' }] };
}

function lines(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `line ${index}: all work and no play makes Jack a dull boy\n`,
  ).join('');
}
