import { defined, once } from '@attractor/base';
import { awsCredentials } from '../clouds/aws-credentials.ts';
import { HISTORY_RULES } from '../history/rules.ts';
import { LlmError } from '../types/error.ts';
import { anthropic, lowerInCloud } from './anthropic.ts';
import { lowerCall, ownOptions } from './lower-call.ts';
import { lowerMessages, type MessageForm } from './lower-messages.ts';
import type { Endpoint, Lowered, Lowering, Protocol } from './protocol.ts';

/** Loaded with the first request. */
const claudeSdk = once(() => import('@ai-sdk/amazon-bedrock/anthropic'));
const sdk = once(() => import('@ai-sdk/amazon-bedrock'));

/**
 * Models in Amazon's cloud. Claude is asked as Anthropic is, at `URL/model/ID/invoke-with-response-stream`; every other model by
 * `URL/model/ID/converse-stream`. Both answer in Amazon's binary events. A request is signed, so its bytes are the SDK's own.
 */
export const bedrock: Protocol = {
  rules: HISTORY_RULES.anthropic,
  load: async (endpoint, service) => {
    const options = await optionsOf(endpoint, service);
    const { createAmazonBedrockAnthropic } = await claudeSdk();
    const claude = createAmazonBedrockAnthropic(options);
    const { createAmazonBedrock } = await sdk();
    const others = createAmazonBedrock(options);
    return (model) => {
      if (model.startsWith('claude-')) throw notItsName(service, model);
      return isClaude(model) ? claude(model) : others(model);
    };
  },
  lower: (lowering) => (isClaude(lowering.request.model) ? lowerInCloud(lowering) : lowerConverse(lowering)),
  proofOf: anthropic.proofOf,
};

/** An id, an inference profile or an address of either: `us.anthropic.claude-…`, `arn:…/anthropic.claude-…`. */
function isClaude(model: string): boolean {
  return /anthropic\.claude/.test(model);
}

const REGION_OF_GATEWAYS = 'us-east-1';

async function optionsOf({ baseUrl, apiKey, headers, fetch, cloud }: Endpoint, service: string) {
  const place = { ...(baseUrl === '' ? {} : { baseURL: baseUrl }), region: cloud.region ?? REGION_OF_GATEWAYS };
  const common = { ...place, headers: { ...headers }, fetch };
  if (apiKey !== '' && !apiKey.startsWith('{')) return { ...common, apiKey };
  const { accessKeyId, secretAccessKey, sessionToken } = await awsCredentials(service, apiKey, cloud);
  // An empty key keeps the SDK from looking for one in the environment.
  return { ...common, apiKey: '', accessKeyId, secretAccessKey, ...defined({ sessionToken }) };
}

const CONVERSE: MessageForm = { service: 'bedrock', media: ['DOCUMENT'], proofOptions: () => undefined };

function lowerConverse(lowering: Lowering): Lowered {
  const { request } = lowering;
  return {
    call: {
      ...lowerCall(lowering),
      prompt: lowerMessages(lowering, CONVERSE),
      ...defined({ reasoning: request.reasoningEffort }),
      providerOptions: { bedrock: ownOptions(request, 'bedrock') },
    },
  };
}

function notItsName(provider: string, model: string): LlmError {
  const message = `${provider} has names of its own for models, and "${model}" is none of them. Name yours with --model or ANTHROPIC_MODEL, such as us.anthropic.claude-sonnet-4-5-20250929-v1:0; \`aws bedrock list-inference-profiles\` lists them.`;
  return new LlmError({ code: 'configuration', message, retryable: false, provider });
}
