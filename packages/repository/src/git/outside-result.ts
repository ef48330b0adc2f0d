import { defined, type Result } from '@attractor/base';
import type { Refusal } from '@attractor/store';

/** Why something outside was not done. `retryable`: it may succeed later without any change. `isElsewhere`: another process can do it. */
export type ScmFailure = Refusal & { readonly retryable: boolean; readonly isElsewhere?: boolean };

export type ScmResult<Value> = Result<Value, ScmFailure>;

type Failed = { readonly ok: false; readonly error: ScmFailure };

/** Waiting does not help: a person has to do something. */
export function fail(code: Refusal['code'], message: string, detail?: unknown): Failed {
  return { ok: false, error: { code, message, retryable: false, ...defined({ detail }) } };
}

export function failForNow(message: string, detail?: unknown): Failed {
  const error = { code: 'unavailable', message, retryable: true } as const;
  return { ok: false, error: detail === undefined ? error : { ...error, detail } };
}
