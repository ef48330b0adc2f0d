/** Streaming one answer through the client, against a bare script that does the same exchange. */
import { join } from 'node:path';
import { bundleProgram } from '../measuring/bundle.ts';
import { startModelServer } from '../measuring/model-server.ts';
import { runProgram } from '../measuring/program.ts';
import { report } from '../measuring/report.ts';
import { takeTurns } from '../measuring/rounds.ts';
import type { Measured } from './exchange.ts';

const ROUNDS = 9;
const DELTAS = 2000;
const DELTA_CHARS = 12;

const text = 'All work and no play makes Jack a dull boy. '.repeat(1000).slice(0, DELTAS * DELTA_CHARS);
const server = await startModelServer({ text, deltaChars: DELTA_CHARS });
const [bare, ours] = await Promise.all(
  ['bare.ts', 'ours.ts'].map((file) => bundleProgram(join(import.meta.dirname, file))),
);

try {
  const run = (file: string | undefined, warmUps: number, count: number) => async () => {
    const measured = (await runProgram(file ?? '', [server.baseUrl, String(warmUps), String(count)])) as Measured;
    if (measured.characters !== text.length)
      throw new Error(`${measured.characters} characters arrived, not ${text.length}`);
    return measured;
  };
  report({
    bench: 'llm',
    what: `one streamed answer of ${DELTAS} deltas in a warm process (median of ${ROUNDS} processes, 20 answers each, taking turns)`,
    standings: await takeTurns(
      [
        { name: 'bare node:http', run: run(bare?.file, 5, 20) },
        { name: '@attractor/llm', run: run(ours?.file, 5, 20) },
      ],
      ROUNDS,
    ),
    target: { name: '@attractor/llm', wallRatio: 1.5 },
  });
} finally {
  server.stop();
  await Promise.all([bare?.remove(), ours?.remove()]);
}
