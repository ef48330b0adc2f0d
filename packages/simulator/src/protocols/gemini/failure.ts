import type { SimulatedRequest } from '../../wire/http.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { Failure, FailureKind } from '../../protocol.ts';

interface Row {
  code: number;
  status: string;
  message: string;
  details?: JsonObject[];
}

const RPC = 'type.googleapis.com/google.rpc';
const KEY_INVALID = {
  '@type': `${RPC}.ErrorInfo`,
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
};
const QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.';

const TABLE: Record<FailureKind, Row> = {
  invalid_request: { code: 400, status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  unauthorized: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'API key not valid. Please pass a valid API key.',
    details: [KEY_INVALID],
  },
  forbidden: { code: 403, status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  not_found: { code: 404, status: 'NOT_FOUND', message: 'Requested entity was not found.' },
  too_large: {
    code: 413,
    status: 'INVALID_ARGUMENT',
    message: 'Request payload size exceeds the limit: 20971520 bytes.',
  },
  context_overflow: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  },
  rate_limit: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted (e.g. check quota).' },
  spend_cap: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: QUOTA,
    details: [
      {
        '@type': `${RPC}.QuotaFailure`,
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
      },
    ],
  },
  server: {
    code: 500,
    status: 'INTERNAL',
    message:
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  },
  overloaded: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  timeout: { code: 504, status: 'DEADLINE_EXCEEDED', message: 'The request timed out. Please try again.' },
};

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function failure(given: Failure): { status: number; body: { error: JsonObject } } {
  const row = TABLE[given.kind];
  const code = given.status ?? row.code;
  const status = given.status === undefined ? row.status : (STATUS_NAMES[code] ?? 'UNKNOWN');
  const details = [...(row.details ?? []), ...retryInfo(given)];
  const error = { code, message: given.message ?? row.message, status, ...(details.length > 0 && { details }) };
  return { status: code, body: { error } };
}

/** This service says in the body how long to wait. */
function retryInfo({ kind, headers }: Failure): JsonObject[] {
  const seconds = Number(headers?.['retry-after']);
  return kind === 'rate_limit' && Number.isFinite(seconds)
    ? [{ '@type': `${RPC}.RetryInfo`, retryDelay: `${seconds}s` }]
    : [];
}

export function authenticate(request: SimulatedRequest, apiKeys: readonly string[] | undefined): Failure | undefined {
  const query = new URLSearchParams(request.path.split('?')[1] ?? '');
  const key =
    request.headers['x-goog-api-key'] ?? query.get('key') ?? request.headers['authorization']?.replace(/^Bearer /i, '');
  if (!key) {
    return {
      kind: 'forbidden',
      message:
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    };
  }
  return !apiKeys || apiKeys.includes(key) ? undefined : { kind: 'unauthorized' };
}
