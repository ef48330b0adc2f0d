import type { Client } from '../client.ts';
import { LlmError } from '../types/error.ts';

let current: Client | undefined;

/** The client for every call that names none; `undefined` removes it again. */
export function setDefaultClient(client: Client | undefined): void {
  current = client;
}

/** The client set with `setDefaultClient`; throws if there is none. */
export function defaultClient(): Client {
  if (current !== undefined) return current;
  const message = 'No model client is configured. Pass `client`, or call setDefaultClient once at start-up.';
  throw new LlmError({ code: 'configuration', message, retryable: false });
}
