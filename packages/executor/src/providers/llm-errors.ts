import type { LlmError, LlmErrorCode, Response as Reply } from '@attractor/llm';
import type { ProviderError, ProviderErrorCode } from '../provider.ts';

const CODES: Readonly<Partial<Record<LlmErrorCode, ProviderErrorCode>>> = {
  authentication: 'AuthenticationError',
  access_denied: 'AuthenticationError',
  configuration: 'AuthenticationError',
  rate_limit: 'RateLimitError',
  quota_exceeded: 'RateLimitError',
  overloaded: 'RateLimitError',
  server: 'NetworkError',
  timeout: 'NetworkError',
  network: 'NetworkError',
  stream: 'NetworkError',
  abort: 'NetworkError',
};

/** The client's message says what happened and what to do. What the service sent goes to the log. */
export function providerError(error: LlmError): ProviderError {
  const code = CODES[error.code] ?? 'InvalidResponseError';
  const detail = code === 'InvalidResponseError' ? { detail: detailOf(error) } : {};
  return { code, message: error.message, retryable: error.retryable, ...detail };
}

export function emptyReply(reply: Reply | null): ProviderError {
  return {
    code: 'InvalidResponseError',
    message: 'The model gave no answer that can be acted on. Try again, or use another model.',
    retryable: true,
    detail: `empty reply: ${JSON.stringify(reply)}`,
  };
}

function detailOf({ code, status, errorCode, raw, message }: LlmError): string {
  return JSON.stringify({ code, status, errorCode, message, raw: String(raw).slice(0, 4_000) });
}
