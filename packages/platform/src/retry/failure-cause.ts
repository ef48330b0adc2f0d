import type { StepFailure } from '../runs/run-context.ts';

/** Causes that pass by themselves; nothing else is tried again. */
export type RetryCause = 'timeout' | 'crash' | 'rate_limit' | 'overloaded' | 'network';

/** Null: trying again would meet the same end. */
export function causeOf(failure: StepFailure): RetryCause | null {
  if (failure.code === 'timeout') return 'timeout';
  if (failure.code !== 'agent_failed') return null;
  const { agentCode = '' } = failure;
  if (Object.hasOwn(BY_AGENT_CODE, agentCode)) return BY_AGENT_CODE[agentCode] ?? null;
  const said = BY_WORDS.find(([words]) => words.test(failure.message))?.[1];
  return said ?? (failure.retryable === true ? 'crash' : null);
}

/** What agents call their failures; null where trying again is of no use whatever the message says. */
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

/** For agents that only have words for what happened. */
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
