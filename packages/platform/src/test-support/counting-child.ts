import { flushCompileCache } from 'node:module';
import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';

/** A worker with our own loop on a scripted model: `node counting-child.ts HOME DATABASE_URL ADDRESS CONCURRENCY`. Works until its standard input ends. */
const [home = '', databaseUrl = '', baseUrl = '', concurrency = '1'] = process.argv.slice(2);
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();

const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl } } } });
const agent = createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' });
const opened = await openPlatform({
  home,
  databaseUrl,
  agents: [agent],
  env: process.env,
  confine: unconfined,
  concurrency: Number(concurrency),
  supervise: false,
});
if (!opened.ok) throw new Error(opened.error.message);
process.stdin.resume();
process.stdin.once('end', () => void opened.value.close().then(client.close));
