import { randomUUID } from 'node:crypto';
import type { SimulatedRequest } from '../../wire/http.ts';
import type { Failure, FailureKind } from '../../protocol.ts';

/** Errors, keys and headers are the same for both OpenAI protocols. */

interface Row {
  status: number;
  type: string;
  message: string;
  code: string | null;
}

const INVALID = 'invalid_request_error';

const TABLE: Record<FailureKind, Row> = {
  invalid_request: { status: 400, type: INVALID, message: 'Invalid request', code: null },
  unauthorized: {
    status: 401,
    type: INVALID,
    message:
      'Incorrect API key provided: ***. You can find your API key at https://platform.openai.com/account/api-keys.',
    code: 'invalid_api_key',
  },
  forbidden: {
    status: 403,
    type: INVALID,
    message: 'You are not allowed to sample from this model',
    code: 'model_not_allowed',
  },
  not_found: { status: 404, type: INVALID, message: 'The requested model does not exist', code: 'model_not_found' },
  too_large: { status: 413, type: INVALID, message: 'Request body is too large', code: 'request_too_large' },
  context_overflow: {
    status: 400,
    type: INVALID,
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    code: 'context_length_exceeded',
  },
  rate_limit: {
    status: 429,
    type: 'requests',
    message:
      'Rate limit reached for requests. Please try again later. Visit https://platform.openai.com/account/rate-limits to learn more.',
    code: 'rate_limit_exceeded',
  },
  spend_cap: {
    status: 429,
    type: 'insufficient_quota',
    message:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
    code: 'insufficient_quota',
  },
  server: {
    status: 500,
    type: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
    code: null,
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    message: 'The server is currently overloaded with other requests. Sorry about that! Please retry your request.',
    code: 'server_is_overloaded',
  },
  timeout: { status: 408, type: INVALID, message: 'Request timed out.', code: 'timeout' },
};

export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export function failure(given: Failure): { status: number; body: { error: OpenAiError } } {
  const row = TABLE[given.kind];
  const status = given.status ?? row.status;
  const type = given.kind === 'server' && status < 500 ? INVALID : row.type;
  const error = {
    message: given.message ?? row.message,
    type,
    param: given.param ?? null,
    code: given.code ?? row.code,
  };
  return { status, body: { error } };
}

export function authenticate(request: SimulatedRequest, apiKeys: readonly string[] | undefined): Failure | undefined {
  const bearer = /^Bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  if (!bearer) {
    return {
      kind: 'unauthorized',
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.",
    };
  }
  if (!apiKeys || apiKeys.includes(bearer)) return undefined;
  const shown = bearer.length > 8 ? `${bearer.slice(0, 3)}***${bearer.slice(-4)}` : '***';
  const message = `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return { kind: 'unauthorized', message };
}

export function headers(): Record<string, string> {
  return {
    'x-request-id': `req_${randomUUID().replaceAll('-', '')}`,
    'openai-version': '2020-10-01',
    'openai-processing-ms': '12',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-tokens': '1999000',
    'x-ratelimit-reset-tokens': '30ms',
  };
}

export const invalidJson = (): Failure => ({
  kind: 'invalid_request',
  message:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
});

export const modelNotFound = (model: string): Failure => ({
  kind: 'not_found',
  message: `The model \`${model}\` does not exist or you do not have access to it.`,
});

export function modelInfo(id: string): unknown {
  return { id, object: 'model', created: 1_735_689_600, owned_by: 'simulator' };
}
