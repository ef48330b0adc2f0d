import { messageOf } from '@attractor/base';
import type { ProviderError, ProviderErrorCode } from '../provider.ts';

const LOG_IN =
  'Log in with `claude login` (a Pro or Max subscription needs no key), or set CLAUDE_CODE_OAUTH_TOKEN (from `claude setup-token`) or ANTHROPIC_API_KEY.';

/** The SDK's names for failures. */
const CODES: Readonly<Record<string, ProviderErrorCode>> = {
  authentication_failed: 'AuthenticationError',
  oauth_org_not_allowed: 'AuthenticationError',
  account_on_hold: 'AuthenticationError',
  verification_required: 'AuthenticationError',
  cloud_credential_error: 'AuthenticationError',
  billing_error: 'RateLimitError',
  rate_limit: 'RateLimitError',
  overloaded: 'RateLimitError',
  server_error: 'NetworkError',
  invalid_request: 'InvalidResponseError',
  model_not_found: 'InvalidResponseError',
  max_output_tokens: 'InvalidResponseError',
};

const STATUSES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'AuthenticationError',
  403: 'AuthenticationError',
  402: 'RateLimitError',
  429: 'RateLimitError',
  529: 'RateLimitError',
};

const WORDS: ReadonlyArray<readonly [RegExp, ProviderErrorCode]> = [
  [/not logged in|please run \/login|invalid api key|oauth token/i, 'AuthenticationError'],
  [/rate limit|usage limit|overloaded/i, 'RateLimitError'],
  [/connection|connect|ECONN|ENOTFOUND|EAI_AGAIN|fetch failed|timed? ?out|socket|network/i, 'NetworkError'],
];

const ADVICE: Readonly<Record<ProviderErrorCode, string>> = {
  AuthenticationError: LOG_IN,
  RateLimitError: 'Wait until the limit ends, or use another provider with --provider.',
  NetworkError: 'Check the connection and ANTHROPIC_BASE_URL, then try again with the id of the session.',
  InvalidResponseError: 'Try again, or use another model with --model.',
};

export type ClaudeFailure = {
  readonly code: string | null;
  readonly status: number | null;
  readonly said: string;
};

export function resultError({ code, status, said }: ClaudeFailure): ProviderError {
  const known =
    CODES[code ?? ''] ??
    STATUSES[status ?? 0] ??
    ((status ?? 0) >= 500 ? 'NetworkError' : undefined) ??
    WORDS.find(([words]) => words.test(said))?.[1] ??
    'InvalidResponseError';
  const words = said.trim().replaceAll(/\s+/g, ' ').slice(0, 300).replace(/[.]$/, '');
  return {
    code: known,
    message: `claude-code: ${words}. ${ADVICE[known]}`,
    retryable: known === 'RateLimitError' || known === 'NetworkError',
    ...(known === 'InvalidResponseError'
      ? { detail: JSON.stringify({ code, status, said: said.slice(0, 4_000) }) }
      : {}),
  };
}

export function thrownError(error: unknown): ProviderError {
  return resultError({ code: null, status: null, said: messageOf(error) });
}

/** A missing SDK is reported with the command that installs it. */
export function sdkMissing(command: string): ProviderError {
  const message = `claude-code needs the Claude Agent SDK, which is not installed. Install it with: ${command}`;
  return { code: 'AuthenticationError', message, retryable: false };
}
