/** What it costs to start: the built command against bare scripts that do the same, each in a fresh process. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '../measuring/report.ts';
import { takeTurns } from '../measuring/rounds.ts';
import type { Cost } from '../measuring/rounds.ts';
import { watchProcess } from '../measuring/watched-process.ts';
import { startAnsweringServer } from './answering-server.ts';

const ROUNDS = 15;
const attractor = join(import.meta.dirname, '../../packages/cli/dist/attractor.js');
const bare = join(import.meta.dirname, 'bare.mjs');

if (!existsSync(attractor)) {
  console.error('The command is not built. Run `npm run build` first.');
  process.exit(1);
}

const server = await startAnsweringServer();
const home = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
const input = JSON.stringify({ messages: [{ role: 'user', content: 'Say hello.' }] });
const env = { HOME: home, ATTRACTOR_HOME: home, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-bench' };
const flags = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929', '--base-url', server.baseUrl];

const asking = { bare: [bare, server.baseUrl], ours: [attractor, 'llm', 'stream', ...flags] };
const start = (args: ReadonlyArray<string>) => watchProcess({ program: process.execPath, args, input, env });

try {
  report({
    bench: 'startup/first-request',
    what: `from spawn to the first request at the server (median of ${ROUNDS}, taking turns)`,
    standings: await takeTurns(
      [
        { name: 'bare node:http', run: () => toFirstRequest(asking.bare) },
        { name: 'attractor llm stream', run: () => toFirstRequest(asking.ours) },
      ],
      ROUNDS,
    ),
  });
  console.log();
  report({
    bench: 'startup/whole-exchange',
    what: `from spawn to exit, one short answer streamed (median of ${ROUNDS}, taking turns)`,
    standings: await takeTurns(
      [
        { name: 'bare node:http', run: () => start(asking.bare).ended },
        { name: 'attractor llm stream', run: () => start(asking.ours).ended },
      ],
      ROUNDS,
    ),
  });
  console.log();
  report({
    bench: 'startup/version',
    what: `from spawn to exit, nothing asked (median of ${ROUNDS}, taking turns)`,
    standings: await takeTurns(
      [
        { name: 'node -p 1', run: () => start(['-p', '1']).ended },
        { name: 'attractor --version', run: () => start([attractor, '--version']).ended },
      ],
      ROUNDS,
    ),
  });
} finally {
  server.close();
  await rm(home, { recursive: true, force: true });
}

async function toFirstRequest(args: ReadonlyArray<string>): Promise<Cost> {
  const request = server.nextRequest();
  const started = start(args);
  await Promise.race([request, started.ended]);
  const cost = started.cost();
  await started.ended;
  return cost;
}
