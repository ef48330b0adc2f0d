import {
  type Answer,
  type ApiClient,
  createApiClient,
  CSRF_HEADER,
  type NextStep,
  takeStep as takeStepOver,
} from '@attractor/api';
import { forgetConnections, reportConnection } from './connection.ts';

/** The value that proves to the server that a call comes from this page; known once signed in. */
const proof = { csrf: '' };

const HTTP = {
  baseUrl: '',
  fetch: async (request: Request) => {
    const response = await globalThis.fetch(request);
    // Who was signed in and is no longer hears of it with the first refusal, not when a stream ends.
    if (response.status === 401 && proof.csrf !== '') reportConnection('calls', 'signed_out');
    return response;
  },
  headers: (): Record<string, string> => (proof.csrf === '' ? {} : { [CSRF_HEADER]: proof.csrf }),
};

export const api: ApiClient = createApiClient(HTTP);

/** For what a page says while it is left: it arrives although nobody waits for the answer. */
export const lastingApi: ApiClient = createApiClient({
  ...HTTP,
  fetch: (request) => globalThis.fetch(request, { keepalive: true }),
});

/** Does what a next step says. */
export function takeStep(call: NonNullable<NextStep['call']>): Promise<Answer<unknown>> {
  return takeStepOver(HTTP, call);
}

export function rememberProof(csrf: string): void {
  forgetConnections();
  proof.csrf = csrf;
}
