import type { LanguageModelV4FinishReason, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider';
import { defined } from '@attractor/base';
import type { FinishReason, RateLimitInfo, Warning } from '../types/response.ts';
import type { Usage } from '../types/usage.ts';

const REASONS: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason['reason']>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'error',
  interrupted: 'error',
  other: 'other',
};

export function liftFinishReason(finish: LanguageModelV4FinishReason, word = ''): FinishReason {
  return { reason: REASONS[finish.unified], raw: finish.raw ?? word };
}

/** Absent counts stay absent: the provider did not report them. */
export function liftUsage(usage: LanguageModelV4Usage): Usage {
  const inputTokens = usage.inputTokens.total ?? 0;
  const outputTokens = usage.outputTokens.total ?? 0;
  const { reasoning } = usage.outputTokens;
  const { cacheRead, cacheWrite } = usage.inputTokens;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...defined({ reasoningTokens: reasoning, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }),
  };
}

export function liftWarning(warning: SharedV4Warning): Warning {
  if (warning.type === 'other') return { message: warning.message, code: 'other' };
  const feature = 'feature' in warning ? warning.feature : warning.type;
  const details = 'details' in warning ? warning.details : undefined;
  return {
    message: details === undefined ? `${feature} is not supported here and was left out.` : `${feature}: ${details}`,
    code: warning.type,
  };
}

/** From the headers of either family: `anthropic-ratelimit-requests-limit` or `x-ratelimit-limit-requests`. */
export function liftRateLimit(headers: Readonly<Record<string, string>> | undefined): RateLimitInfo | undefined {
  if (headers === undefined) return undefined;
  const count = (...names: ReadonlyArray<string>): number | undefined => {
    const value = Number.parseInt(names.map((name) => headers[name]).find((text) => text !== undefined) ?? '', 10);
    return Number.isNaN(value) ? undefined : value;
  };
  const found = {
    requestsLimit: count('anthropic-ratelimit-requests-limit', 'x-ratelimit-limit-requests'),
    requestsRemaining: count('anthropic-ratelimit-requests-remaining', 'x-ratelimit-remaining-requests'),
    tokensLimit: count('anthropic-ratelimit-tokens-limit', 'x-ratelimit-limit-tokens'),
    tokensRemaining: count('anthropic-ratelimit-tokens-remaining', 'x-ratelimit-remaining-tokens'),
    resetAt: headers['anthropic-ratelimit-requests-reset'] ?? headers['x-ratelimit-reset-requests'],
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return Object.keys(known).length === 0 ? undefined : known;
}
