import {
  failure,
  FAILURE_STATUS,
  type Failure,
  type FailureCode,
  LEFT_HEADER,
  leftOf,
  type Route,
} from '@attractor/api';
import { isRecord } from '@attractor/base';
import type { Result } from '@attractor/platform';
import type { Context } from 'hono';
import { encodeValue } from './encoded.ts';

/** A command's result as an HTTP answer. */
export function answer(context: Context, result: Result<unknown>, statuses: Route['statuses'] = {}): Response {
  if (result.ok) {
    const left = leftOf(result);
    const encoded = encodeValue(result.value);
    context.set('encoded', encoded);
    return context.body(encoded.bytes, 200, {
      'content-type': 'application/json',
      ...(left === 0 ? {} : { [LEFT_HEADER]: String(left) }),
    });
  }
  const { code, message, detail } = result.error;
  const status = code === 'invalid' && isPlaces(detail) ? FAILURE_STATUS.bad_request : FAILURE_STATUS[code];
  return context.json({ error: failure(code, message, detail) }, statuses[code] ?? status);
}

/** A refusal that names the places of mistakes is about the body of the call, so it is answered like a body that its schema refuses. */
function isPlaces(detail: unknown): boolean {
  return Array.isArray(detail) && detail.some((one) => isRecord(one) && 'path' in one && 'expected' in one);
}

export function refuse(context: Context, error: Failure): Response {
  return context.json({ error }, FAILURE_STATUS[error.code]);
}

export function refusal(context: Context, code: FailureCode, message: string): Response {
  return refuse(context, failure(code, message));
}
