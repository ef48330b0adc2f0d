import type { Result as AnyResult } from '@attractor/base';
import { defined, failed, isRecord } from '@attractor/base';

/** Why a command was not carried out; nothing was changed. `code` decides exit codes and HTTP statuses. */
export type Refusal = {
  readonly code:
    | 'not_found'
    | 'invalid'
    | 'unknown_agent'
    | 'forbidden'
    | 'blocked'
    | 'conflict'
    | 'unavailable'
    | 'database';
  readonly message: string;
  readonly detail?: unknown;
};

export type Result<Value> = AnyResult<Value, Refusal>;

export function refuse(
  code: Refusal['code'],
  message: string,
  detail?: unknown,
): { readonly ok: false; readonly error: Refusal } {
  return failed({ code, message, ...defined({ detail }) });
}

/** Tells a refusal from other values: the store rolls back a transaction that returns one. */
export function isRefusal(value: unknown): value is { readonly ok: false; readonly error: Refusal } {
  return isRecord(value) && value['ok'] === false && 'error' in value;
}
