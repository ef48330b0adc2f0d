/** Streams one answer through the client, compared with a bare script that does the same exchange. */
import { join } from 'node:path';
import { bundleProgram } from '../measuring/bundle.ts';
import { startModelServer } from '../measuring/model-server.ts';
import { runProgram } from '../measuring/program.ts';
import { report } from '../measuring/report.ts';
import { takeTurns } from '../measuring/rounds.ts';
import type { Measured } from './exchange.ts';

type Load = {
  readonly bench: string;
  readonly what: string;
  readonly deltas: number;
  /** Between two deltas; 0: as fast as the scripted model can. */
  readonly eventDelayMs: number;
  readonly answers: { readonly warmUp: number; readonly counted: number };
  readonly rounds: number;
};

const LOADS: ReadonlyArray<Load> = [
  {
    bench: 'llm/full-speed',
    what: 'one answer of 5000 deltas, sent as fast as the scripted model can, in a warm process',
    deltas: 5000,
    eventDelayMs: 0,
    answers: { warmUp: 5, counted: 15 },
    rounds: 9,
  },
  {
    bench: 'llm/paced',
    what: 'one answer of 200 deltas, 5 ms apart, in a warm process',
    deltas: 200,
    eventDelayMs: 5,
    answers: { warmUp: 1, counted: 1 },
    rounds: 3,
  },
];

const DELTA_CHARS = 12;
const [bare, ours] = await Promise.all(
  ['bare.ts', 'ours.ts'].map((file) => bundleProgram(join(import.meta.dirname, file))),
);

try {
  for (const load of LOADS) await measure(load);
} finally {
  await Promise.all([bare?.remove(), ours?.remove()]);
}

async function measure({ bench, what, deltas, eventDelayMs, answers, rounds }: Load): Promise<void> {
  const text = 'All work and no play makes Jack a dull boy. '.repeat(deltas).slice(0, deltas * DELTA_CHARS);
  const server = await startModelServer({ text, deltaChars: DELTA_CHARS, eventDelayMs });
  const run = async (file = ''): Promise<Measured> => {
    const args = [server.baseUrl, String(answers.warmUp), String(answers.counted)];
    const measured = (await runProgram(file, args)) as Measured;
    if (measured.characters === text.length) return measured;
    throw new Error(`${measured.characters} characters arrived, not ${text.length}`);
  };
  const contenders = [
    { name: 'bare node:http', run: () => run(bare?.file) },
    { name: '@attractor/llm', run: () => run(ours?.file) },
  ];
  const standings = await takeTurns(contenders, rounds);
  server.stop();
  report({
    bench,
    what: `${what} (median of ${rounds}, taking turns)`,
    standings,
    target: { name: '@attractor/llm', wallRatio: 1.5 },
  });
  console.log();
}
