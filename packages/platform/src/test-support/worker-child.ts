import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';

/**
 * A worker with a slow scripted agent: `node worker-child.ts HOME DATABASE_URL DELAY_MS`. It prints `ready`, works until stdin ends, and
 * then parks its runs.
 */
const [home = '', databaseUrl = '', delayMs = '0'] = process.argv.slice(2);
const agent = createScriptedAgent([
  {
    steps: [
      { do: 'output', text: 'begun' },
      { do: 'createFile', path: 'answer.txt', content: '42\n' },
      { do: 'commit', message: 'Answer 42' },
      { do: 'createFile', path: 'notes.txt', content: 'not committed yet\n' },
      { do: 'delay', ms: Number(delayMs) },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
]);
const opened = await openPlatform({
  home,
  databaseUrl,
  agents: [agent],
  env: process.env,
  confine: unconfined,
  concurrency: 1,
  onUnexpected: (error) => console.error(error),
});
if (!opened.ok) throw new Error(opened.error.message);
process.stdout.write('ready\n');
for await (const _chunk of process.stdin);
await opened.value.close();
