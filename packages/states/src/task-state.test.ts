import { describe, expect, it } from 'vitest';
import { everyStateFacts } from './test-support/every-state.ts';
import { STATE_WORDS } from './state-words.ts';
import { stateOf } from './task-state.ts';
import { runs } from '@attractor/store/testing';

/** All of them in a soak (SOAK=1). */
const EACH = runs(1) > 1 ? 1 : 7;

describe('the state of a task', () => {
  it('exists for everything that the store may hold, begins with one of the words, and has a next step', () => {
    const kinds = new Set<string>();
    for (const facts of everyStateFacts(undefined, EACH)) {
      const state = stateOf(facts);
      kinds.add(state.kind);
      const shown = () => JSON.stringify({ status: facts.task.status, run: facts.run, prompts: facts.prompts, state });
      if (!state.label.startsWith(STATE_WORDS[state.kind])) throw new Error(`Wrong words: ${shown()}`);
      if (state.steps.length === 0) throw new Error(`No next step: ${shown()}`);
      if (state.since === '') throw new Error(`No time: ${shown()}`);
      const ids = state.steps.map(({ command }) => command);
      if (new Set(ids).size !== ids.length) throw new Error(`A step twice: ${shown()}`);
    }
    expect([...kinds].toSorted()).toEqual(Object.keys(STATE_WORDS).toSorted());
  });

  const found = (holds: (facts: Parameters<typeof stateOf>[0]) => boolean) => {
    for (const facts of everyStateFacts()) if (holds(facts)) return stateOf(facts);
    throw new Error('There is no such combination');
  };
  const labels = ({ steps }: ReturnType<typeof stateOf>) => steps.map(({ label }) => label);

  it('of a stopped task offers to go on, to start over and to close', () => {
    const state = found(
      ({ task, run, prompts, pipeline, options, waitingFor }) =>
        pipeline.id === 'coding' &&
        task.status === 'implementing' &&
        run?.status === 'cancelled' &&
        !run.isPast &&
        prompts.length === 0 &&
        waitingFor.length === 0 &&
        options.every(({ allowed }) => allowed),
    );
    expect(state).toMatchObject({ kind: 'stopped', needsPerson: true });
    expect(labels(state)).toEqual(['Go on', 'Start over', 'Close']);
  });

  it('says what is queued, working and paused, and never calls a waiting run working', () => {
    const byJob = (holds: (job: NonNullable<NonNullable<Parameters<typeof stateOf>[0]['run']>['job']>) => boolean) =>
      found(
        ({ run, prompts, task }) =>
          run?.status === 'running' &&
          !run.isStopping &&
          run.job !== null &&
          holds(run.job) &&
          prompts.length === 0 &&
          task.status === 'implementing',
      ).label;
    expect(byJob(({ state }) => state === 'running')).toBe('Working: the agent is at work');
    expect(byJob(({ workers, state }) => workers === 0 && state === 'queued')).toBe('Queued: no worker is running');
    expect(byJob(({ unmet }) => unmet !== null)).toBe('Queued: for a worker with gpu, arm');
    expect(byJob(({ pause }) => pause === 'all')).toBe('Paused: the queue is paused');
    const later = ({ notBefore, limit }: { readonly notBefore: string | null; readonly limit: object | null }) =>
      notBefore !== null && limit === null;
    expect(byJob((job) => later(job) && job.retry === null)).toBe('Paused: will be retried later');
    expect(byJob((job) => later(job) && job.retry !== null)).toBe(
      'Paused: the provider is overloaded, will be retried later',
    );
    expect(byJob(({ blocked }) => blocked?.code === 'provider_limit')).toBe("Paused: the provider's limit");
    expect(byJob(({ blocked }) => blocked?.code === 'budget')).toBe('Paused: the budget is reached');
  });

  it('of a run that is due later, of an account with a limit, names the later of the two times', () => {
    const [sooner, later] = ['2026-11-17T16:10:00.000Z', '2026-11-17T18:09:00.000Z'] as const;
    const facts = everyStateFacts().find(({ run }) => run?.status === 'running' && run.job?.state === 'queued');
    if (facts?.run?.job === undefined || facts.run.job === null) throw new Error('There is no such combination');
    const until = (notBefore: string, end: string) => {
      const job = { ...facts.run?.job, pause: null, blocked: null, notBefore, limit: { until: end, reason: 'Enough' } };
      return stateOf({ ...facts, prompts: [], run: { ...facts.run, job } as typeof facts.run }).until;
    };
    expect([until(sooner, later), until(later, sooner)]).toEqual([later, later]);
  });

  it('of finished work is merged only if the base has it', () => {
    const done = (merged: 'yes' | 'no') =>
      found(
        ({ task, merge }) =>
          task.status === 'done' &&
          merge.branch !== null &&
          !merge.isMerging &&
          (merge.merged !== null) === (merged === 'yes'),
      );
    expect(done('yes').label).toBe('Merged');
    expect(done('no')).toMatchObject({ label: 'Accepted, not merged', needsPerson: true });
    expect(labels(done('no'))).toEqual(['Merge', 'Reopen', 'Close without merging']);
    const unfinished = found(
      ({ task, merge }) => task.status === 'done' && merge.branch !== null && !merge.isOffered && !merge.isMerging,
    );
    expect(unfinished).toMatchObject({ label: 'Accepted, not merged', needsPerson: true });
    expect(unfinished.detail).toMatch(/No agent finished it\. The work so far is on agent\/x.*attractor tasks diff/);
    expect(labels(unfinished)[0]).toBe('Merge');
  });

  it('of a failed task names the cause and what would help', () => {
    const state = found(
      ({ task, run, prompts }) =>
        task.status === 'failed' &&
        run?.failure?.agentCode === 'authentication' &&
        run.status === 'failed' &&
        !run.isPast &&
        prompts.length === 0,
    );
    expect(state.label).toBe('Failed: no valid key');
    expect(state.detail).toContain('attractor doctor');
    expect(state.needsPerson).toBe(true);
  });

  it('tells its own way from one of the pipeline by the same words', () => {
    const facts = everyStateFacts().find((one) => {
      const [own, ...others] = one.run?.status === 'failed' ? labels(stateOf(one)) : [];
      return own === 'Try again' && one.options.some(({ transition }) => others.includes(transition.label));
    });
    if (facts === undefined) throw new Error('There is no such combination');
    const options = facts.options.map((option) => ({
      ...option,
      transition: { ...option.transition, label: 'Try again' },
    }));
    expect(labels(stateOf({ ...facts, options }))[0]).toMatch(/^Try again: [a-z]+$/);
  });
});
