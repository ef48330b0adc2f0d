import type { StepFailure } from '../runs/run-context.ts';
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
  /** Of the run that failed: 1 for the first. */
  readonly attempt: number;
  /** How often this chain of runs waited for a limit already. */
  readonly waits: number;
  readonly config: RetrySettings;
  readonly now: Date;
  /** Where a provider names a time of day without a zone. */
  readonly timeZone?: string;
};

/** A provider that says when it will work again is waited for, and that is no attempt; a shorter wait is a retry like any other. */
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

/** Far enough for any setting, and still a time that can be written. */
const MAX_TIME = Date.UTC(9999, 0);
