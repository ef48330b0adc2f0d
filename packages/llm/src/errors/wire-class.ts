import type { LlmError } from '../types/error.ts';

/** The names of failures on the command's wire. */
export type WireErrorClass =
  | 'rate_limit'
  | 'quota'
  | 'overloaded'
  | 'server'
  | 'auth'
  | 'invalid_request'
  | 'context_length'
  | 'network'
  | 'other';

/** The name of a failure for scripts, which stays the same when codes are added. */
export function wireErrorClass(error: Pick<LlmError, 'code'>): WireErrorClass {
  return CLASSES[error.code] ?? 'other';
}

const CLASSES: Readonly<Record<string, WireErrorClass>> = {
  authentication: 'auth',
  access_denied: 'auth',
  not_found: 'invalid_request',
  invalid_request: 'invalid_request',
  unsupported_tool_choice: 'invalid_request',
  context_length: 'context_length',
  rate_limit: 'rate_limit',
  quota_exceeded: 'quota',
  overloaded: 'overloaded',
  server: 'server',
  timeout: 'network',
  network: 'network',
  stream: 'network',
};
