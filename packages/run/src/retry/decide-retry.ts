import type { StepFailure } from '../run-context/run-context.ts';
import { causeOf, type RetryCause } from './failure-cause.ts';
import { limitEnd } from './provider-limit.ts';
import type { RetrySettings } from './retry-settings.ts';

/** What follows a failed run. `notBefore` and `until` are ISO times. */
export type RetryDecision =
  | { readonly do: 'retry'; readonly cause: RetryCause; readonly attempt: number; readonly notBefore: string }
  | { readonly do: 'wait'; readonly attempt: number; readonly until: string }
  | { readonly do: 'give_up'; readonly why: 'disabled' | 'not_transient' | 'exhausted' };

export type RetryQuestion = {
  readonly failure: StepFailure;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** How often this chain of runs has already waited for a limit. */
  readonly waits: number;
  readonly config: RetrySettings;
  readonly now: Date;
  /** For a provider that gives a time of day without a zone. */
  readonly timeZone?: string;
};

/** If a provider says when it will work again we wait, and that is no attempt; a shorter wait is an ordinary retry. */
const SHORT_WAIT_MS = 60_000;

export function decideRetry(question: RetryQuestion): RetryDecision {
  const { failure, attempt, waits, config, now } = question;
  if (!config.enabled) return { do: 'give_up', why: 'disabled' };
  const until = limitEnd(failure, now, question.timeZone);
  if (until !== null && until.getTime() - now.getTime() > SHORT_WAIT_MS)
    return waits < config.maxWaits
      ? { do: 'wait', attempt, until: until.toISOString() }
      : { do: 'give_up', why: 'exhausted' };
  const cause = causeOf(failure) ?? (until === null ? null : 'rate_limit');
  if (cause === null) return { do: 'give_up', why: 'not_transient' };
  if (attempt >= config.maxAttempts) return { do: 'give_up', why: 'exhausted' };
  const delayed = now.getTime() + config.delayMs * config.factor ** (attempt - 1);
  const at = new Date(Math.min(MAX_TIME, Math.max(delayed, until?.getTime() ?? 0)));
  return { do: 'retry', cause, attempt: attempt + 1, notBefore: at.toISOString() };
}

/** Later than any setting needs, and still a valid date. */
const MAX_TIME = Date.UTC(9999, 0);
