import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { defined } from '@attractor/base';
import type { Agent } from '@attractor/adapters';
import { openPlatformOn } from '../platform.ts';
import { unconfined } from '@attractor/run';
import { openStore } from '@attractor/store';
import { crashAgent, type Death } from './crash-plan.ts';
import { isStep, watchStore } from './watched-store.ts';

/**
 * A worker that dies in one step of a run: `node crash-child.ts HOME DEATH [DATABASE_URL]`, with the death as JSON. It ends by itself only
 * if it never reached that step.
 */
const [home = '', plan = '', databaseUrl] = process.argv.slice(2);
const { step, strike }: Death = JSON.parse(plan);
let isInStep = false;
// Otherwise a killed process would leave no cache for the next one.
flushCompileCache();

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** The agent's entry points kill this process in that step. */
function watched(agent: Agent): Agent {
  const met = (entrance: string): void => {
    if (isInStep && strike.by === entrance) die();
  };
  return {
    ...agent,
    getDefaultConfig: () => {
      met('default config');
      return agent.getDefaultConfig();
    },
    isAvailable: async () => {
      met('availability');
      return agent.isAvailable();
    },
    say: async (options) => {
      const result = await (agent.say?.(options) ?? Promise.reject(new Error('It takes no further input')));
      met('further input');
      return result;
    },
  };
}

const opened = await openStore(databaseUrl === undefined ? { home } : { databaseUrl });
if (!opened.ok) throw new Error(opened.error.message);
const store = watchStore(opened.value, {
  uncommitted: (events) => {
    if (strike.by === 'unsaved' && events.some((event) => isStep(event, { type: 'run.step_finished', step }))) die();
  },
  committed: (events) => {
    if (strike.by === 'saved' && events.some((event) => isStep(event, { type: 'run.step_finished', step }))) die();
    if (!events.some((event) => isStep(event, { type: 'run.step_started', step }))) return;
    if (strike.by === 'started') die();
    isInStep = true;
    if (strike.by !== 'program') return;
    writeFileSync(join(process.env['HOME'] ?? '', 'armed'), `${process.pid} ${strike.when} ${strike.word}\n`);
  },
});
const platform = await openPlatformOn(store, {
  home,
  ...defined({ databaseUrl }),
  agents: [watched(crashAgent())],
  env: process.env,
  confine: unconfined,
  concurrency: 1,
  supervise: false,
  onUnexpected: (error) => console.error(error),
});
if (!platform.ok) throw new Error(platform.error.message);
await platform.value.worker.idle();
await platform.value.close();
