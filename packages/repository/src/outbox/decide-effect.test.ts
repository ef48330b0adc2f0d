import { describe, expect, it } from 'vitest';
import type { StoredEffect } from '@attractor/store';
import { conclusionOf } from './conclusion.ts';
import { dueEffects, nextDelay } from './decide-effect.ts';
import { fail, failForNow } from '../git/outside-result.ts';

const effect = (given: Partial<StoredEffect>): StoredEffect => ({
  id: 'obx_1',
  seq: 1,
  projectId: 'prj_1',
  taskId: 'tsk_1',
  runId: null,
  key: 'k',
  work: null,
  needs: null,
  state: 'waiting',
  owner: null,
  fence: 0,
  leaseUntil: null,
  notBefore: null,
  elsewhereSince: null,
  attempts: 0,
  error: null,
  actor: { type: 'system' },
  createdAt: 'now',
  finishedAt: null,
  ...given,
});

const due = (open: ReadonlyArray<StoredEffect>, state: 'alive' | 'dead' | 'unknown' = 'alive') =>
  dueEffects(open, { now: 1_000, ownerState: () => state }).map(({ id }) => id);

describe('the next effect', () => {
  it('is the first of its task; others of that task wait for it', () => {
    const open = [effect({ id: 'a' }), effect({ id: 'b', seq: 2 }), effect({ id: 'c', seq: 3, taskId: 'tsk_2' })];
    expect(due(open)).toEqual(['a', 'c']);
    expect(due([effect({ id: 'a', notBefore: 2_000 }), effect({ id: 'b', seq: 2 })])).toEqual([]);
  });

  it('is taken from a dead owner and after a lease, never from a living one', () => {
    const running = effect({ id: 'a', state: 'running', owner: 'x', leaseUntil: 2_000 });
    expect([due([running]), due([running], 'unknown'), due([running], 'dead')]).toEqual([[], [], ['a']]);
    expect(due([{ ...running, leaseUntil: 999 }])).toEqual(['a']);
  });

  it('is one merge at a time in a project; other effects and other projects do not wait for it', () => {
    const work = { kind: 'merge_pr', artifactId: 'art_1', headCommit: null } as const;
    const merge = (id: string, more: Partial<StoredEffect> = {}) => effect({ id, taskId: `tsk_${id}`, work, ...more });
    expect(due([merge('a'), merge('b'), merge('c', { projectId: 'prj_2' }), effect({ id: 'd' })])).toEqual([
      'a',
      'c',
      'd',
    ]);
    const running = merge('a', { state: 'running', owner: 'x', leaseUntil: 2_000 });
    expect([due([merge('b'), running]), due([running, merge('b')], 'dead')]).toEqual([[], ['a']]);
    expect(due([merge('a', { notBefore: 2_000 }), merge('b')])).toEqual(['b']);
  });

  it('does not wait for a clock that began anew', () => {
    expect(due([effect({ id: 'a', notBefore: 1_000_000_000 })])).toEqual(['a']);
  });
});

describe('another attempt', () => {
  it('comes later each time, at most four times, and only for what passes by itself', () => {
    const { error: passing } = failForNow('away');
    expect([1, 2, 3, 4, 5].map((attempts) => nextDelay(passing, attempts))).toEqual([
      5_000,
      15_000,
      45_000,
      135_000,
      null,
    ]);
    expect(nextDelay(fail('blocked', 'no').error, 1)).toBeNull();
  });
});

describe('an effect whose commits are on another machine', () => {
  const missing = { outcome: 'elsewhere', reason: 'The commit abc is not here.', had: 'the machine m1' } as const;

  it('waits for it a day long, then fails and says where they are', () => {
    const first = conclusionOf(effect({}), missing, 1_000);
    expect(first).toMatchObject({
      end: { state: 'waiting', elsewhereSince: 1_000, counts: 'not at all' },
      event: { type: 'git.effect_retried' },
    });
    const waiting = effect({ error: missing.reason, elsewhereSince: 1_000 });
    expect(conclusionOf(waiting, missing, 80_000_000)).toMatchObject({
      end: { state: 'waiting', elsewhereSince: 1_000 },
      event: null,
    });
    const last = conclusionOf(waiting, missing, 1_000 + 86_400_000);
    expect(last).toMatchObject({ end: { state: 'failed' }, event: { type: 'git.push_failed' } });
    expect(last.event?.summary).toContain('abc is not here. The work was done on the machine m1.');
  });

  it('is waited for in the same way where a disk has no room, and no attempt is counted', () => {
    const full = { outcome: 'failed', error: fail('unavailable', 'write: No space left on device').error } as const;
    expect(conclusionOf(effect({ attempts: 5 }), full, 1_000)).toMatchObject({
      end: { state: 'waiting', elsewhereSince: 1_000, counts: 'not at all' },
      event: { type: 'git.effect_retried' },
    });
  });

  it('waits a day anew where the clock began anew', () => {
    const waiting = effect({ error: missing.reason, elsewhereSince: 90_000_000 });
    expect(conclusionOf(waiting, missing, 5)).toMatchObject({ end: { state: 'waiting', elsewhereSince: 5 } });
  });
});
