import type { Refusal, Result } from './workflow-contract.ts';

export function refuse(
  code: Refusal['code'],
  message: string,
  detail?: unknown,
): { readonly ok: false; readonly error: Refusal } {
  return { ok: false, error: detail === undefined ? { code, message } : { code, message, detail } };
}

export function done<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}
