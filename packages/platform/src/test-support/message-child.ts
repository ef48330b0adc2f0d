import { flushCompileCache } from 'node:module';
import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { openPlatformOn } from '../platform.ts';
import { unconfined } from '@attractor/run';
import { openStore, type Store } from '@attractor/store';

/**
 * A process that works on what is queued, with our own loop on a scripted model: `node message-child.ts HOME ADDRESS before|after|never`. It
 * kills itself around the commit that records a message as delivered: its agent has the message then, and the database does not know it,
 * or has just learned it.
 */
const [home = '', baseUrl = '', strike = 'never'] = process.argv.slice(2);
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();

const opened = await openStore({ home });
if (!opened.ok) throw new Error(opened.error.message);
const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl } } } });
const agent = createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' });
const platform = await openPlatformOn(dying(opened.value), {
  home,
  agents: [agent],
  env: process.env,
  confine: unconfined,
  concurrency: 1,
});
if (!platform.ok) throw new Error(platform.error.message);
await platform.value.worker.idle();
await platform.value.close();
await client.close();

function dying(store: Store): Store {
  return {
    ...store,
    transact: async (work, _about, first) => {
      let isStruck = false;
      const value = await store.transact(
        async (tx) => {
          const before = await delivered(tx);
          const made = await work(tx);
          isStruck = (await delivered(tx)) > before;
          if (isStruck && strike === 'before') process.kill(process.pid, 'SIGKILL');
          return made;
        },
        undefined,
        first,
      );
      if (isStruck && strike === 'after') process.kill(process.pid, 'SIGKILL');
      return value;
    },
  };
}

async function delivered(tx: Parameters<Parameters<Store['transact']>[0]>[0]): Promise<number> {
  const rows = await tx.selectFrom('task_messages').select('id').where('delivered_at', 'is not', null).execute();
  return rows.length;
}
