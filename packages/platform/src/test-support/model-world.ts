import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { openPlatformOn, type Platform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import { openStore, type Project, type Store } from '@attractor/store';
import { endLeases, type Life, mortal, newLife } from './mortal-store.ts';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

export const MOST_AT_ONCE = 2;

const WRITES: Script['steps'] = [
  { do: 'output', text: 'On it.' },
  { do: 'createFile', path: 'a.txt', content: 'a\n' },
  { do: 'commit', message: 'Add a' },
  { do: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 0.01 },
  { do: 'createFile', path: 'b.txt', content: 'b\n' },
];

/** What the agent of a task does, by a word in its title. The plan is the same for all. */
export const KINDS: Readonly<Record<string, Script['steps']>> = {
  well: [...WRITES, { do: 'outcome', outcome: 'pr_ready' }],
  slow: [...WRITES, { do: 'delay', ms: 150 }, { do: 'outcome', outcome: 'pr_ready' }],
  approval: [
    ...WRITES,
    { do: 'askHuman', toolName: 'shell', input: { command: 'ls' } },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
  question: [{ do: 'outcome', outcome: 'needs_info', payload: { questions: [{ id: 'q1', question: 'Which?' }] } }],
  badly: [...WRITES, { do: 'error', message: 'it broke' }],
  passing: [...WRITES, { do: 'error', message: 'read ECONNRESET', retryable: true }],
};

const SCRIPTS: ReadonlyArray<Script> = [
  {
    when: { outcome: 'plan_complete' },
    steps: [
      { do: 'output', text: '1. Do it.' },
      { do: 'outcome', outcome: 'plan_complete' },
    ],
  },
  ...Object.entries(KINDS).map(([kind, steps]) => ({ when: { promptIncludes: `ends ${kind}` }, steps })),
];

export type ModelWorker = { readonly life: Life; readonly store: Store; readonly platform: Platform };

/** Two platforms that command and watch, and two that work and may die, on one database and one repository. */
export type ModelWorld = {
  readonly store: Store;
  readonly fronts: readonly [Platform, Platform];
  readonly workers: ModelWorker[];
  readonly project: Project;
  readonly path: string;
  readonly unexpected: unknown[];
  readonly restart: (which: number) => Promise<void>;
  readonly remove: () => Promise<void>;
};

export async function openModelWorld(): Promise<ModelWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-model-')));
  const [home, path] = [join(folder, 'home'), join(folder, 'project')];
  cpSync(await makeRepository({ 'old.txt': 'old\n' }), path, { recursive: true });
  const unexpected: unknown[] = [];
  const store = must(await openStore({ home }));
  const open = async (on: Store, agent: Agent, concurrency: number): Promise<Platform> =>
    must(
      await openPlatformOn(on, {
        home,
        agents: [agent],
        env: ENV,
        confine: unconfined,
        concurrency,
        supervise: false,
        leaveAfterMs: 5,
        onUnexpected: (error) => unexpected.push(error),
      }),
    );
  const openWorker = async (): Promise<ModelWorker> => {
    const life = newLife();
    const own = must(await openStore({ home }));
    return { life, store: own, platform: await open(mortal(own, life), mortalAgent(life), MOST_AT_ONCE) };
  };
  const fronts = [
    await open(store, createScriptedAgent(SCRIPTS), 0),
    await open(must(await openStore({ home })), createScriptedAgent(SCRIPTS), 0),
  ] as const;
  const project = must(await fronts[0].workflow.createProject({ path }, PERSON));
  const config = { maxConcurrentRuns: MOST_AT_ONCE, retry: { maxAttempts: 2, delayMs: 0 } };
  must(await fronts[0].workflow.updateProject(project.id, { config }, PERSON));
  const workers = [await openWorker(), await openWorker()];
  const dead: ModelWorker[] = [];
  return {
    store,
    fronts,
    workers,
    project,
    path,
    unexpected,
    restart: async (which) => {
      const old = workers[which];
      if (old === undefined || !old.life.isDead) return;
      dead.push(old);
      await endLeases(store, old.life);
      workers[which] = await openWorker();
    },
    remove: async () => {
      for (const { platform } of workers) await platform.close();
      for (const front of fronts) await front.close();
      for (const worker of dead) await worker.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stops with its worker, without any notice. */
function mortalAgent(life: Life): Agent {
  const agent = createScriptedAgent(SCRIPTS);
  const untilDeath = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work;
    return life.isDead ? new Promise<never>(() => undefined) : value;
  };
  return {
    ...agent,
    run: (options) =>
      untilDeath(agent.run({ ...options, abortSignal: AbortSignal.any([options.abortSignal, life.died.signal]) })),
  };
}
