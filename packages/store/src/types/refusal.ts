import { defined, failed, isRecord } from '@attractor/base';
import type { Refusal } from './workflow-contract.ts';

export function refuse(
  code: Refusal['code'],
  message: string,
  detail?: unknown,
): { readonly ok: false; readonly error: Refusal } {
  return failed({ code, message, ...defined({ detail }) });
}

/** How everyone knows a refusal among other values: the store takes a transaction back that returns one. */
export function isRefusal(value: unknown): value is { readonly ok: false; readonly error: Refusal } {
  return isRecord(value) && value['ok'] === false && 'error' in value;
}
