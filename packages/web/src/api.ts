import { createApiClient, CSRF_HEADER, type ApiClient } from '@attractor/api';

/** The value that proves to the server that a call comes from this page; known once signed in. */
const proof = { csrf: '' };

export const api: ApiClient = createApiClient({
  baseUrl: '',
  fetch: (request) => globalThis.fetch(request),
  headers: () => (proof.csrf === '' ? {} : { [CSRF_HEADER]: proof.csrf }),
});

export function rememberProof(csrf: string): void {
  proof.csrf = csrf;
}
