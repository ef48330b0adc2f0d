import fs from 'node:fs';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { openPlatform, unconfined } from '@attractor/platform';

/**
 * A worker with our own loop on a scripted model, or with no concurrency a server that supervises: `node chaos-child.ts HOME DATABASE_URL
 * MODEL CONCURRENCY LABEL CLOCK_MS [apart]`. Its clock is off by that much; apart, it is on a machine of its own by all that it says of
 * itself, so that only its lease tells others that it is gone. It works until its standard input ends.
 */
const [home = '', databaseUrl = '', baseUrl = '', concurrency = '0', label = '', clock = '0', apart = ''] =
  process.argv.slice(2);
if (apart === 'apart') {
  const { readFileSync } = fs;
  const named = new Set<unknown>(['/proc/sys/kernel/random/boot_id', '/etc/machine-id']);
  Object.assign(fs, {
    readFileSync: (...given: Parameters<typeof readFileSync>) =>
      named.has(given[0]) ? `machine of ${label}\n` : readFileSync(...given),
  });
  syncBuiltinESMExports();
}
flushCompileCache();
const off = Number(clock);
if (off !== 0) {
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given: []) => (given.length === 0 ? new Real(Real.now() + off) : new Real(...given)),
    get: (_, name) => (name === 'now' ? () => Real.now() + off : Reflect.get(Real, name)),
  });
}

const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl } } } });
const agent = createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' });
const opened = await openPlatform({
  home,
  databaseUrl,
  agents: [agent],
  env: process.env,
  confine: unconfined,
  concurrency: Number(concurrency),
  ...(Number(concurrency) === 0 ? {} : { supervise: false, labels: [label] }),
});
if (!opened.ok) throw new Error(opened.error.message);
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.once('end', () => void opened.value.close().then(client.close));
