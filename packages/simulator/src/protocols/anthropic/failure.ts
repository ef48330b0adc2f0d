import { randomUUID } from 'node:crypto';
import type { WireEvent } from '../../wire/sse.ts';
import type { Failure, FailureKind } from '../../protocol.ts';

interface Row {
  status: number;
  type: string;
  message: string;
  details?: Record<string, string>;
}

const TABLE: Record<FailureKind, Row> = {
  invalid_request: { status: 400, type: 'invalid_request_error', message: 'Invalid request' },
  unauthorized: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: {
    status: 403,
    type: 'permission_error',
    message: 'Your API key does not have permission to use the specified resource.',
  },
  not_found: { status: 404, type: 'not_found_error', message: 'model: unknown' },
  too_large: { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' },
  context_overflow: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 215000 tokens > 200000 maximum',
  },
  rate_limit: {
    status: 429,
    type: 'rate_limit_error',
    message: "This request would exceed your organization's rate limit. Please try again later.",
  },
  spend_cap: {
    status: 429,
    type: 'rate_limit_error',
    message:
      "Your organization has reached its monthly spend limit. Raise the limit in the Console's billing settings to continue.",
    details: { error_code: 'enforced_spend_limit_reached' },
  },
  server: { status: 500, type: 'api_error', message: 'Internal server error' },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  timeout: { status: 408, type: 'timeout_error', message: 'Request timed out' },
};

export function failure(given: Failure): { status: number; body: unknown } {
  const row = TABLE[given.kind];
  const status = given.status ?? row.status;
  const type = given.kind === 'server' ? typeOfStatus(status) : row.type;
  const message = given.message ?? row.message;
  const details = given.code === undefined ? row.details : { error_code: given.code };
  const error = { type, message, ...(details && { details }) };
  return { status, body: { type: 'error', error, request_id: requestId() } };
}

export function streamFailure(given: Failure): WireEvent[] {
  return [{ event: 'error', data: JSON.stringify(failure(given).body) }];
}

export function headers(): Record<string, string> {
  const reset = new Date(Date.now() + 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  return {
    'request-id': requestId(),
    'anthropic-ratelimit-requests-limit': '4000',
    'anthropic-ratelimit-requests-remaining': '3999',
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-limit': '400000',
    'anthropic-ratelimit-tokens-remaining': '399000',
    'anthropic-ratelimit-tokens-reset': reset,
  };
}

function typeOfStatus(status: number): string {
  const same = Object.values(TABLE).find((row) => row.status === status);
  if (same) return same.type;
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

function requestId(): string {
  return `req_011C${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}
