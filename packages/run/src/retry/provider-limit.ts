import { believableEnd, parseLimitEnd } from '@attractor/adapters';
import type { StepFailure } from '../run-context/run-context.ts';

/** When the limit ends that a run failed of, as far as its failure says; null for any failure that is not about a limit. */
export function limitEnd(failure: StepFailure, now: Date, timeZone?: string): Date | null {
  if (failure.code !== 'agent_failed' || !isLimit(failure)) return null;
  const wait = failure.retryAfterMs;
  if (wait !== undefined && Number.isFinite(wait) && wait >= 0) return believableEnd(now.getTime() + wait, now);
  return parseLimitEnd(failure.message, now, timeZone);
}

/** If the agent's own code says that it is a limit, it is one. Without such a code we look for it in the words of the message. */
function isLimit({ agentCode = '', message }: StepFailure): boolean {
  return LIMIT_CODES.has(agentCode) || (!JUDGED_ALREADY.has(agentCode) && LIMIT_WORDS.test(message));
}

const LIMIT_CODES: ReadonlySet<string> = new Set(['rate_limit', 'quota_exceeded', 'overloaded']);

/**
 * The output of a program can mention limits without having met one. The adapter that read the output has already decided, so its words are
 * not searched again.
 */
export const JUDGED_ALREADY: ReadonlySet<string> = new Set(['exit']);

const LIMIT_WORDS =
  /usage limit|rate.?limit|limit reached|limit exceeded|(?:hit|reached|exceeded) (?:your|the|its)[\w -]{0,30}(?:limit|quota)|\bquota\b|too many requests|\b429\b|resource.?exhausted|retry-after/i;
