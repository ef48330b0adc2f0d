import { defined, once } from '@attractor/base';
import { lowerResponses, openai } from './openai.ts';
import { openaiChat } from './openai-chat.ts';
import type { Endpoint, Protocol } from './protocol.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/azure'));

/** OpenAI's models in Azure, by the current API: `URL/openai/v1/responses`. A model is called by the name of its deployment. */
export const azure: Protocol = {
  ...openai,
  load: async (endpoint) => {
    const provider = await providerOf(endpoint, `${rootOf(endpoint)}/openai/v1`);
    return (deployment) => provider.responses(deployment);
  },
  lower: (lowering) => lowerResponses(lowering, 'azure'),
};

/** The same by a dated version of the API: `URL/openai/deployments/NAME/chat/completions?api-version=…`. */
export const azureChat: Protocol = {
  ...openaiChat,
  load: async (endpoint) => {
    const provider = await providerOf(endpoint, `${rootOf(endpoint)}/openai`);
    return (deployment) => provider.chat(deployment);
  },
};

async function providerOf({ apiKey, isBearer, headers, fetch, cloud }: Endpoint, baseURL: string) {
  const { createAzure } = await sdk();
  const credential = isBearer ? { tokenProvider: async () => apiKey } : { apiKey };
  const { apiVersion } = cloud;
  return createAzure({
    baseURL,
    ...credential,
    headers: { ...headers },
    fetch,
    ...defined({ apiVersion }),
    useDeploymentBasedUrls: isDated(apiVersion),
  });
}

export function isDated(apiVersion: string | undefined): boolean {
  return apiVersion !== undefined && /^\d/.test(apiVersion);
}

/** An address is written with or without its path. */
function rootOf({ baseUrl, cloud }: Endpoint): string {
  const base = baseUrl === '' ? `https://${encodeURIComponent(cloud.resource ?? '')}.openai.azure.com` : baseUrl;
  return base.replace(/\/openai(?:\/v1)?$/, '');
}
