import { once } from '@attractor/base';
import { anthropic, lowerInCloud } from './anthropic.ts';
import { gemini } from './gemini.ts';
import type { Endpoint, Protocol } from './protocol.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/google-vertex/edge'));
const claudeSdk = once(() => import('@ai-sdk/google-vertex/anthropic/edge'));

/** Gemini in Google's cloud: `URL/projects/P/locations/L/publishers/google/models/M:streamGenerateContent`, with a token. */
export const vertex: Protocol = {
  ...gemini,
  load: async (endpoint) => {
    const { createGoogleVertex } = await sdk();
    const { apiKey, headers, fetch } = endpoint;
    // The package has a door for a key but none for a token that we have: it is let in as the key and goes out as what it is.
    const asToken: typeof globalThis.fetch = (input, init) =>
      fetch(input, { ...init, headers: bearer(init?.headers, apiKey) });
    return createGoogleVertex({
      baseURL: `${placeOf(endpoint, 'v1beta1')}/publishers/google`,
      apiKey,
      headers: { ...headers },
      fetch: asToken,
    });
  },
};

/** Claude in Google's cloud: `URL/projects/P/locations/L/publishers/anthropic/models/M:streamRawPredict`, with a token. */
export const vertexAnthropic: Protocol = {
  ...anthropic,
  load: async (endpoint) => {
    const { createGoogleVertexAnthropic } = await claudeSdk();
    const { apiKey, headers, fetch } = endpoint;
    const claude = createGoogleVertexAnthropic({
      baseURL: `${placeOf(endpoint, 'v1')}/publishers/anthropic/models`,
      generateAuthToken: async () => apiKey,
      headers: { ...headers },
      fetch,
    });
    return (model) => claude(datedName(model));
  },
  lower: lowerInCloud,
};

function placeOf({ baseUrl, cloud }: Endpoint, version: string): string {
  const { project = '', location = '' } = cloud;
  const base = baseUrl === '' ? `https://${hostOf(location)}/${version}` : baseUrl;
  return `${base}/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  const isMany = location === 'eu' || location === 'us';
  const name = encodeURIComponent(location);
  return isMany ? `aiplatform.${name}.rep.googleapis.com` : `${name}-aiplatform.googleapis.com`;
}

/** Here a date follows an `@`. */
function datedName(model: string): string {
  return model.replace(/-(\d{8})$/, '@$1');
}

/** The package hands over plain headers, in which the key is its own addition. */
function bearer(headers: RequestInit['headers'], token: string): Record<string, string> {
  const given = Object.entries(headers ?? {}).filter(([name]) => name !== 'x-goog-api-key');
  return { ...Object.fromEntries(given), authorization: `Bearer ${token}` };
}
