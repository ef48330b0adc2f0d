import { isRecord } from '@attractor/base';
import type { EffectEnd, EffectWork, EventType, StoredEffect, ReportedEvent } from '@attractor/store';
import { saysNoRoom } from '@attractor/system';
import { nextDelay } from './decide-effect.ts';
import type { Performed } from './performed.ts';

export type Conclusion = {
  readonly end: EffectEnd;
  /** Null if the record of the work reports it, or if it was reported before. */
  readonly event: ReportedEvent | null;
};

const ELSEWHERE_MS = 15_000;
/** A machine that is not back after a day may never return. */
const ELSEWHERE_LIMIT_MS = 24 * 3_600_000;

/** The result of an attempt: done, given up, or another attempt later. `now` is the store's clock. */
export function conclusionOf(effect: StoredEffect, performed: Performed, now: number): Conclusion {
  const kind = effect.work?.kind ?? 'push';
  const data = { effectId: effect.id, kind, attempts: effect.attempts };
  if (performed.outcome === 'done') return { end: { state: 'done', result: performed.result }, event: null };
  if (performed.outcome === 'elsewhere') return waitForAnother(effect, performed, now);
  const { message, code, detail = null } = performed.error;
  // There may be room again, and elsewhere there is.
  if (saysNoRoom(message)) return waitForAnother(effect, { outcome: 'elsewhere', reason: message }, now);
  const delay = nextDelay(performed.error, effect.attempts);
  if (delay === null) {
    const summary = `${WORDS[kind]}: ${message}`;
    return {
      end: { state: 'failed', error: message, ...(isRecord(detail) ? { detail } : {}) },
      event: { type: FAILURES[kind], summary, data: { ...data, code, detail } },
    };
  }
  const summary = `${WORDS[kind]}: ${message} It will be retried in ${Math.round(delay / 1000)} s.`;
  return {
    end: { state: 'waiting', notBefore: now + delay, error: message, counts: 'as an attempt' },
    event: { type: 'git.effect_retried', summary, data: { ...data, code, detail } },
  };
}

type Elsewhere = Extract<Performed, { readonly outcome: 'elsewhere' }>;

/** Another machine has what is needed, or this one later, and has a day to do it. If the clock restarted, the day starts again. */
function waitForAnother(effect: StoredEffect, { reason, had }: Elsewhere, now: number): Conclusion {
  const kind = effect.work?.kind ?? 'push';
  const data = { effectId: effect.id, kind, attempts: effect.attempts };
  const since = Math.min(effect.elsewhereSince ?? now, now);
  if (now - since >= ELSEWHERE_LIMIT_MS) {
    const where = had === undefined ? '' : ` The work was done on ${had}.`;
    const error = `${reason}${where} No machine that has it has appeared for a day: start a worker there, then try again.`;
    return {
      end: { state: 'failed', error },
      event: {
        type: FAILURES[kind],
        summary: `${WORDS[kind]}: ${error}`,
        data: { ...data, code: 'elsewhere', had: had ?? null },
      },
    };
  }
  const end = {
    state: 'waiting',
    notBefore: now + ELSEWHERE_MS,
    error: reason,
    counts: 'not at all',
    elsewhereSince: since,
  } as const;
  const summary = `${WORDS[kind]} yet: ${reason} It is tried again, here or by another machine.`;
  return { end, event: effect.error === null ? { type: 'git.effect_retried', summary, data } : null };
}

type Kind = EffectWork['kind'];

const FAILURES = {
  push: 'git.push_failed',
  create_pr: 'pr.create_failed',
  merge_pr: 'pr.merge_failed',
  revert_merge: 'pr.revert_failed',
  roll_back: 'work.rollback_failed',
  comment_pr: 'pr.comment_failed',
  create_branch: 'hook.failed',
  create_worktree: 'hook.failed',
  keep_work: 'work.keep_failed',
} as const satisfies Readonly<Record<Kind, EventType>>;

const WORDS: Readonly<Record<Kind, string>> = {
  push: 'Not pushed',
  create_pr: 'No pull request',
  merge_pr: 'Not merged',
  revert_merge: 'Not reverted',
  roll_back: 'Not undone',
  comment_pr: 'Not commented',
  create_branch: 'No branch',
  create_worktree: 'No worktree',
  keep_work: "The run's work was not committed",
};
