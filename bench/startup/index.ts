/**
 * The cost of starting: the built command, in both its forms, compared with bare scripts that do the same, each in a fresh process.
 * `--against FOLDER` takes the built command of another checkout along in the same rounds.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOtherForm } from '../../scripts/fast-start/other-form.ts';
import { FAST_START } from '../../scripts/fast-start/switch.mjs';
import { commandOfOther } from '../measuring/other-checkout.ts';
import { report } from '../measuring/report.ts';
import { takeTurns } from '../measuring/rounds.ts';
import type { Cost } from '../measuring/rounds.ts';
import { watchProcess } from '../measuring/watched-process.ts';
import { startAnsweringServer } from './answering-server.ts';

const ROUNDS = 15;
const ROOT = join(import.meta.dirname, '../..');
const attractor = join(ROOT, 'packages/cli/dist/attractor.js');
const bare = join(import.meta.dirname, 'bare.mjs');

if (!existsSync(attractor)) {
  console.error('The command is not built. Run `npm run build` first.');
  process.exit(1);
}

const before = commandOfOther();
const other = await buildOtherForm(ROOT);
const server = await startAnsweringServer();
const home = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
const input = JSON.stringify({ messages: [{ role: 'user', content: 'Say hello.' }] });
const env = { HOME: home, ATTRACTOR_HOME: home, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-bench' };
const flags = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929', '--base-url', server.baseUrl];

const asking = {
  'attractor -p': ['-p', 'Say hello.', ...flags, '--cwd', home, '--allow-unsandboxed'],
  'attractor llm stream': ['llm', 'stream', ...flags],
};
const start = (args: ReadonlyArray<string>) => watchProcess({ program: process.execPath, args, input, env });

try {
  await compare('first-request', 'from spawn to the first request at the server', toFirstRequest);
  await compare('whole-exchange', 'from spawn to exit, one short answer', (args) => start(args).ended);
  report({
    bench: 'startup/version',
    what: `from spawn to exit, nothing asked (median of ${ROUNDS}, taking turns)`,
    standings: await takeTurns(
      [
        { name: 'node -p 1', run: () => start(['-p', '1']).ended },
        ...allForms('attractor --version', ['--version'], (args) => start(args).ended),
      ],
      ROUNDS,
    ),
  });
} finally {
  server.close();
  other.remove();
  await rm(home, { recursive: true, force: true });
}

type Measure = (args: ReadonlyArray<string>) => Promise<Cost>;

async function compare(bench: string, what: string, measure: Measure): Promise<void> {
  const contenders = Object.entries(asking).flatMap(([name, args]) => allForms(name, args, measure));
  report({
    bench: `startup/${bench}`,
    what: `${what} (median of ${ROUNDS}, taking turns)`,
    standings: await takeTurns(
      [{ name: 'bare node:http', run: () => measure([bare, server.baseUrl]) }, ...contenders],
      ROUNDS,
    ),
  });
  console.log();
}

/** As it is built, in the form that the fast-start switch did not choose, and as another checkout has it. */
function allForms(name: string, args: ReadonlyArray<string>, measure: Measure) {
  return [
    { name, run: () => measure([attractor, ...args]) },
    { name: `${name}, ${FAST_START ? 'plain' : 'fast'}`, run: () => measure([other.command, ...args]) },
    ...(before === null ? [] : [{ name: `${name}, other checkout`, run: () => measure([before, ...args]) }]),
  ];
}

async function toFirstRequest(args: ReadonlyArray<string>): Promise<Cost> {
  const request = server.nextRequest();
  const started = start(args);
  await Promise.race([request, started.ended]);
  const cost = started.cost();
  await started.ended;
  return cost;
}
