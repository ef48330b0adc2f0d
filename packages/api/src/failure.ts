import { defined, type Failure as AnyFailure, type Result } from '@attractor/base';
import type { Refusal } from '@attractor/platform';

/** Codes that only the server gives over HTTP; the rest are the platform's refusals. Unknown codes are accepted. */
export type FailureCode =
  | Refusal['code']
  | 'unauthorised'
  | 'bad_request'
  | 'unsupported_media_type'
  | 'too_large'
  | 'too_many_attempts'
  | 'method_not_allowed'
  | 'internal'
  | 'network';

/** The answer of every refused or failed call. `message` tells a person what to do; there is never a stack trace. */
export type Failure = AnyFailure<FailureCode> & { readonly detail?: unknown };

export type Answer<Value> = Result<Value, Failure>;

export const FAILURE_STATUS = {
  not_found: 404,
  invalid: 422,
  unknown_agent: 422,
  blocked: 409,
  conflict: 409,
  unavailable: 503,
  database: 500,
  unauthorised: 401,
  forbidden: 403,
  bad_request: 400,
  unsupported_media_type: 415,
  too_large: 413,
  too_many_attempts: 429,
  method_not_allowed: 405,
  internal: 500,
  network: 502,
} as const satisfies Record<FailureCode, number>;

const RETRYABLE: ReadonlySet<FailureCode> = new Set(['unavailable', 'database', 'too_many_attempts', 'network']);

export function failure(code: FailureCode, message: string, detail?: unknown): Failure {
  return { code, message, retryable: RETRYABLE.has(code), ...defined({ detail }) };
}

/** Parses a failure from the wire; null if the body is none. */
export function decodeFailure(body: unknown): Failure | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  const { code, message } = error;
  if (!isFailureCode(code) || typeof message !== 'string') return null;
  return failure(code, message, 'detail' in error ? error.detail : undefined);
}

function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === 'string' && Object.hasOwn(FAILURE_STATUS, code);
}
