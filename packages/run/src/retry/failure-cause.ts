import type { StepFailure } from '../run-context/run-context.ts';
import { JUDGED_ALREADY } from './provider-limit.ts';

/** Temporary causes; nothing else is retried. */
export type RetryCause = 'timeout' | 'crash' | 'rate_limit' | 'overloaded' | 'network';

/** Null: a retry would fail the same way. */
export function causeOf(failure: StepFailure): RetryCause | null {
  if (failure.code === 'timeout') return 'timeout';
  if (failure.code !== 'agent_failed') return null;
  const { agentCode = '' } = failure;
  if (Object.hasOwn(BY_AGENT_CODE, agentCode)) return BY_AGENT_CODE[agentCode] ?? null;
  const said = BY_WORDS.find(
    ([words, cause]) => words.test(failure.message) && !(cause === 'rate_limit' && JUDGED_ALREADY.has(agentCode)),
  )?.[1];
  return said ?? (failure.retryable === true ? 'crash' : null);
}

/** By an agent's failure code; null if a retry is useless whatever the message says. */
const BY_AGENT_CODE: Readonly<Record<string, RetryCause | null>> = {
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  network: 'network',
  server: 'network',
  stream: 'network',
  timeout: 'network',
  unfinished: 'crash',
  crashed: 'crash',
  killed: 'crash',
  threw: null,
  authentication: null,
  access_denied: null,
  quota_exceeded: null,
  configuration: null,
  invalid_request: null,
  context_length: null,
  content_filter: null,
  turn_limit: null,
  no_sandbox: null,
  budget: null,
};

/** For agents that only describe failures in words. */
const BY_WORDS: ReadonlyArray<readonly [RegExp, RetryCause]> = [
  [/\boverloaded\b|\b529\b|temporarily unavailable|service unavailable|\b503\b/i, 'overloaded'],
  [/rate.?limit|too many requests|\b429\b|resource.?exhausted/i, 'rate_limit'],
  [
    /\bE(?:CONNRESET|CONNREFUSED|TIMEDOUT|PIPE|AI_AGAIN|NETUNREACH|HOSTUNREACH)\b|socket hang up|fetch failed/i,
    'network',
  ],
  [
    /network (?:error|is unreachable)|connection (?:reset|refused|closed|timed out)|bad gateway|\b50[024]\b/i,
    'network',
  ],
];
