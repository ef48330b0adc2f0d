import { flushCompileCache } from 'node:module';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';

/**
 * A worker on its own machine: `node takeover-child.ts HOME DATABASE_URL DELAY_MS`. Its agent commits, leaves a file uncommitted, waits for
 * DELAY_MS and then does the rest. Works until its standard input ends.
 */
const [home = '', databaseUrl = '', delay = '0'] = process.argv.slice(2);
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();

const agent = createScriptedAgent([
  {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'createFile', path: 'committed.txt', content: 'one\n' },
      { do: 'commit', message: 'The first half' },
      { do: 'createFile', path: 'left.txt', content: 'two\n' },
      { do: 'deleteFile', path: 'old.txt' },
      { do: 'output', text: 'Half done.' },
      { do: 'delay', ms: Number(delay) },
      { do: 'createFile', path: 'rest.txt', content: 'three\n' },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
]);
const opened = await openPlatform({ home, databaseUrl, agents: [agent], env: process.env, confine: unconfined });
if (!opened.ok) throw new Error(opened.error.message);
process.stdin.resume();
process.stdin.once('end', () => void opened.value.close());
