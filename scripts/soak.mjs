// `npm run soak`: the same tests with SOAK=1, which turns property, fuzz and kill tests into their long forms.
// Arguments go to vitest, so `npm run soak -- packages/llm` soaks one package.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWith } from './lib/failure.mjs';
import { prepare, say } from './lib/prepare.mjs';
import { runStages } from './lib/report.mjs';
import { OWN_PROCESS } from './lib/stages.mjs';
import { runVitest } from './lib/vitest.mjs';

/** The longest takes three quarters of an hour on a quiet machine of two cores. */
const LONG_MS = 12 * 60 * 60_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const flags = [
  ...process.argv.slice(2),
  `--exclude=${OWN_PROCESS}`,
  `--testTimeout=${LONG_MS}`,
  `--hookTimeout=${LONG_MS}`,
];

await prepare(root, say).catch(exitWith);
const soak = { name: 'soak', run: () => runVitest(root, { except: 'tests/house/**', flags, env: { SOAK: '1' } }) };
const green = await runStages([soak], { print: (line) => process.stdout.write(`${line}\n`) });
process.exitCode = green ? 0 : 1;
