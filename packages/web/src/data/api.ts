import {
  type Answer,
  type ApiClient,
  createApiClient,
  CSRF_HEADER,
  type NextStep,
  takeStep as takeStepOver,
} from '@attractor/api';

/** The value that proves to the server that a call comes from this page; known once signed in. */
const proof = { csrf: '' };

const HTTP = {
  baseUrl: '',
  fetch: (request: Request) => globalThis.fetch(request),
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
  proof.csrf = csrf;
}
