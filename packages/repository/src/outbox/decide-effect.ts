import type { StoredEffect } from '@attractor/store';
import type { ScmFailure } from '../git/outside-result.ts';

const FIRST_DELAY_MS = 5_000;
const FACTOR = 3;
const MAX_ATTEMPTS = 5;

/** How long to wait before the next attempt; null: no more attempts, a person has to look. */
export function nextDelay(failure: ScmFailure, attempts: number): number | null {
  if (!failure.retryable || attempts >= MAX_ATTEMPTS) return null;
  return FIRST_DELAY_MS * FACTOR ** (attempts - 1);
}

/** No wait is longer: a later time was written before the clock restarted. */
const LONGEST_WAIT_MS = FIRST_DELAY_MS * FACTOR ** MAX_ATTEMPTS;

export type DueQuery = {
  readonly now: number;
  readonly ownerState: (effect: StoredEffect) => 'alive' | 'dead' | 'unknown';
  /** What it needs is on this machine, so a wait for another one is over. */
  readonly isHere?: (effect: StoredEffect) => boolean;
};

/**
 * The effects that may be taken now: for each task the first open one, if it is due or its owner died. What moves a base goes one after
 * another for each project, so that each is proven on what the one before it left.
 */
export function dueEffects(open: ReadonlyArray<StoredEffect>, look: DueQuery): ReadonlyArray<StoredEffect> {
  const seen = new Set<string>();
  const moving = new Set(
    open.filter((effect) => movesBase(effect) && !isDue(effect, look) && isRunning(effect)).map(projectOf),
  );
  return open.filter((effect) => {
    if (seen.has(effect.taskId)) return false;
    seen.add(effect.taskId);
    if (!isDue(effect, look)) return false;
    if (!movesBase(effect)) return true;
    if (moving.has(effect.projectId)) return false;
    moving.add(effect.projectId);
    return true;
  });
}

function projectOf({ projectId }: StoredEffect): string {
  return projectId;
}

function movesBase({ work }: StoredEffect): boolean {
  return work?.kind === 'merge_pr' || work?.kind === 'revert_merge' || work?.kind === 'roll_back';
}

function isRunning({ state }: StoredEffect): boolean {
  return state === 'running';
}

function isDue(effect: StoredEffect, { now, ownerState, isHere }: DueQuery): boolean {
  if (effect.state === 'running') return (effect.leaseUntil ?? 0) < now || ownerState(effect) === 'dead';
  const wait = (effect.notBefore ?? 0) - now;
  return wait <= 0 || wait > LONGEST_WAIT_MS || (effect.elsewhereSince !== null && isHere?.(effect) === true);
}
