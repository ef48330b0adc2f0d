import type { Refusal, Result } from './workflow-contract.ts';

export function refuse(
  code: Refusal['code'],
  message: string,
  detail?: unknown,
): { readonly ok: false; readonly error: Refusal } {
  return { ok: false, error: detail === undefined ? { code, message } : { code, message, detail } };
}

/** How everyone knows a refusal among other values: the store takes a transaction back that returns one. */
export function isRefusal(value: unknown): value is { readonly ok: false; readonly error: Refusal } {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false && 'error' in value;
}

export function done<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}
