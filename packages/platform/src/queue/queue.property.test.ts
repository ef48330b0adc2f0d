import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Claim,
  finishJob,
  HEAD_START,
  holdsClaim,
  openStore,
  type Priority,
  type Project,
  releaseJob,
  setLanePaused,
  setLimit,
  setQueuePaused,
  type Store,
} from '@attractor/store';
import { ME, putQueued, putQueueProject } from '../test-support/queue-contract.ts';
import { makeFolder, must, runs } from '@attractor/store/testing';
import { claimJob } from './claim.ts';

const AGENTS = ['one', 'two'] as const;
const CAPS = [1, 2, null] as const;
const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

type Step =
  | {
      readonly do: 'put';
      readonly project: number;
      readonly agent: (typeof AGENTS)[number];
      readonly priority: Priority;
      readonly wantsGpu: boolean;
    }
  | { readonly do: 'claim'; readonly hasGpu: boolean }
  | { readonly do: 'race'; readonly claims: number }
  | { readonly do: 'finish' | 'park' | 'crash' | 'late'; readonly which: number }
  | { readonly do: 'pause'; readonly project: number | null; readonly pause: 'paused' | 'open' }
  | { readonly do: 'limit'; readonly agent: (typeof AGENTS)[number]; readonly max: number | null };

const which = fc.nat(9);
const project = fc.nat(2);
const agent = fc.constantFrom(...AGENTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      project,
      agent,
      priority: fc.constantFrom(...PRIORITIES),
      wantsGpu: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), hasGpu: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('race' as const), claims: fc.integer({ min: 2, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('finish', 'park', 'crash', 'late'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pause' as const),
      project: fc.option(project),
      pause: fc.constantFrom('paused' as const, 'open' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('limit' as const), agent, max: fc.constantFrom(0, 1, 2, null) }),
  },
);

type ModelJob = {
  readonly runId: string;
  readonly project: number;
  readonly agent: string;
  readonly place: number;
  readonly wantsGpu: boolean;
  state: 'queued' | 'running' | 'left' | 'done';
};

/** The queue as a list: what may be claimed is worked out from scratch each time. */
class Model {
  readonly jobs: ModelJob[] = [];
  readonly paused = new Set<number | null>();
  readonly limits = new Map<string, number>();
  readonly puts = [0, 0, 0];

  put(runId: string, { project, agent, priority, wantsGpu }: Extract<Step, { readonly do: 'put' }>): void {
    const number = (this.puts[project] ?? 0) + 1;
    this.puts[project] = number;
    this.jobs.push({ runId, project, agent, place: number - HEAD_START[priority], wantsGpu, state: 'queued' });
  }
  running = (of: (job: ModelJob) => boolean): number =>
    this.jobs.filter((job) => (job.state === 'running' || job.state === 'left') && of(job)).length;
  hasRoom = ({ project, agent }: ModelJob): boolean =>
    this.running((job) => job.project === project) < (CAPS[project] ?? Infinity) &&
    this.running((job) => job.agent === agent) < (this.limits.get(agent) ?? Infinity);
  /** Any of these is a right answer to a claim. None: there must be no answer. */
  next(hasGpu: boolean): ReadonlyArray<ModelJob> {
    const fits = (job: ModelJob): boolean =>
      !this.paused.has(null) && !this.paused.has(job.project) && (hasGpu || !job.wantsGpu);
    const left = this.jobs.filter((job) => job.state === 'left' && fits(job));
    if (left.length > 0) return left;
    const waiting = this.jobs.filter((job) => job.state === 'queued' && fits(job) && this.hasRoom(job));
    const load = (job: ModelJob): number => this.running(({ project }) => project === job.project);
    const least = Math.min(...waiting.map(load));
    const best = waiting.filter((job) => load(job) === least);
    return best.filter((job) => best.every((other) => other.project !== job.project || job.place <= other.place));
  }
}

type World = { readonly store: Store; readonly other: Store; readonly projects: ReadonlyArray<Project> };

async function walk({ store, other, projects }: World, steps: ReadonlyArray<Step>): Promise<void> {
  const model = new Model();
  const held: Claim[] = [];
  const lost: Claim[] = [];
  const jobOf = (claim: Claim): ModelJob => {
    const job = model.jobs.find(({ runId }) => runId === claim.runId);
    if (job === undefined) throw new Error('A job that nobody put');
    return job;
  };
  const taken = (claim: Claim): void => {
    expect(jobOf(claim).state).not.toBe('done');
    expect(held.map(({ runId }) => runId)).not.toContain(claim.runId);
    jobOf(claim).state = 'running';
    held.push(claim);
  };
  for (const now of steps) {
    if (now.do === 'put') {
      const own = projects[now.project];
      if (own === undefined) throw new Error('no project');
      const overrides = { agentType: now.agent, labels: now.wantsGpu ? ['gpu'] : [] };
      model.put(await store.transact((tx) => putQueued(tx, own, { priority: now.priority, overrides })), now);
    } else if (now.do === 'claim') {
      const right = model.next(now.hasGpu).map(({ runId }) => runId);
      const claim = await claimJob(store, { ...ME, labels: now.hasGpu ? ['gpu'] : [] });
      if (claim === null) expect(right).toEqual([]);
      else {
        expect(right).toContain(claim.runId);
        taken(claim);
      }
    } else if (now.do === 'race') {
      const claims = await Promise.all(
        Array.from({ length: now.claims }, (_item, index) =>
          claimJob(index % 2 === 0 ? store : other, { ...ME, labels: ['gpu'] }),
        ),
      );
      for (const claim of claims) if (claim !== null) taken(claim);
      if (claims.includes(null)) expect(model.next(true)).toEqual([]);
    } else if (now.do === 'pause') {
      const own = now.project === null ? undefined : projects[now.project];
      await store.transact((tx) =>
        own === undefined ? setQueuePaused(tx, now.pause) : setLanePaused(tx, own.id, now.pause),
      );
      if (now.pause === 'paused') model.paused.add(now.project);
      else model.paused.delete(now.project);
    } else if (now.do === 'limit') {
      await store.transact((tx) => setLimit(tx, { kind: 'agent', name: now.agent, max: now.max }));
      if (now.max === null) model.limits.delete(now.agent);
      else model.limits.set(now.agent, now.max);
    } else if (now.do === 'late') {
      const claim = lost[now.which % Math.max(1, lost.length)];
      // While nobody else took the job, a late word still counts.
      if (claim === undefined || jobOf(claim).state === 'left') continue;
      expect(await holdsClaim(store.read, claim)).toBe(false);
      await store.transact((tx) => finishJob(tx, claim));
    } else {
      const [claim] = held.splice(now.which % Math.max(1, held.length), 1);
      if (claim === undefined) continue;
      const states = { finish: 'done', park: 'queued', crash: 'left' } as const;
      jobOf(claim).state = states[now.do];
      await store.transact(async (tx) => {
        if (now.do === 'finish') await finishJob(tx, claim);
        else if (now.do === 'park') await releaseJob(tx, claim, 'parked');
        else await tx.updateTable('jobs').set({ lease_until: -1, attempts: 1 }).where('id', '=', claim.jobId).execute();
      });
      if (now.do === 'crash') lost.push(claim);
    }
    for (const [index, cap] of CAPS.entries())
      expect(model.running((job) => job.project === index)).toBeLessThanOrEqual(cap ?? Infinity);
  }
}

describe('the queue', () => {
  it('claims what a plain list says, whatever is put, claimed, finished, parked, crashed, paused and limited', async () => {
    const home = makeFolder();
    const [store, other] = [must(await openStore({ home })), must(await openStore({ home }))];
    onTestFinished(async () => {
      await Promise.all([store.close(), other.close()]);
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        await store.transact(async (tx) => {
          for (const table of ['job_labels', 'jobs', 'queue_lanes', 'queue_limits'] as const)
            await tx.deleteFrom(table).execute();
        });
        const projects: Project[] = [];
        for (const cap of CAPS)
          projects.push(await putQueueProject(store, cap === null ? {} : { maxConcurrentRuns: cap }));
        await walk({ store, other, projects }, steps);
      }),
      { numRuns: runs(20) },
    );
  });
});
