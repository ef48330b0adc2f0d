import { defined, once } from '@attractor/base';
import { HISTORY_RULES } from '../history/rules.ts';
import { lowerCall, ownOptions } from './lower-call.ts';
import { lowerMessages, type MessageForm } from './lower-messages.ts';
import type { Lowered, Lowering, Protocol } from './protocol.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/openai'));

/** OpenAI Responses: `URL/responses`. Nothing is stored there; we carry the reasoning along, encrypted. */
export const openai: Protocol = {
  rules: HISTORY_RULES.openai,
  load: async ({ baseUrl, apiKey, headers, fetch }) => {
    const { createOpenAI } = await sdk();
    const provider = createOpenAI({ baseURL: baseUrl, apiKey, headers: { ...headers }, fetch });
    return (model) => provider.responses(model);
  },
  lower: (lowering) => lowerResponses(lowering, 'openai'),
  finishWord: 'completed',
  searchTool: ({ allowedDomains = [] }) => ({
    type: 'provider',
    id: 'openai.web_search',
    name: 'web_search',
    args: allowedDomains.length === 0 ? {} : { filters: { allowedDomains: [...allowedDomains] } },
  }),
  proofOf: (metadata) => {
    const own = metadata?.['openai'] ?? metadata?.['azure'] ?? {};
    const { itemId, reasoningEncryptedContent: encrypted } = own;
    if (typeof encrypted !== 'string' || encrypted === '') return {};
    return {
      signature: JSON.stringify({
        ...(typeof itemId === 'string' ? { itemId } : {}),
        reasoningEncryptedContent: encrypted,
      }),
    };
  },
};

/** Under this name the SDK looks for what belongs to the service. */
type OptionsName = 'openai' | 'azure';

function formOf(name: OptionsName): MessageForm {
  return {
    service: name,
    media: ['DOCUMENT'],
    proofOptions: (part) =>
      part.kind === 'THINKING' && part.signature !== undefined ? { [name]: readSignature(part.signature) } : undefined,
  };
}

export function lowerResponses(lowering: Lowering, name: OptionsName): Lowered {
  const { request } = lowering;
  const { tools, ...call } = lowerCall(lowering);
  const { reasoningEffort, responseFormat, metadata } = request;
  const strict = responseFormat?.type === 'json_schema' ? (responseFormat.strict ?? true) : undefined;
  return {
    call: {
      ...call,
      // What the model has of it is the SDK's to say: a level that it lacks becomes the next lower one.
      ...defined({ reasoning: reasoningEffort }),
      // The service would rewrite a schema to its strict subset, or refuse it, unless told not to.
      ...(tools === undefined
        ? {}
        : { tools: tools.map((tool) => (tool.type === 'function' ? { ...tool, strict: false } : tool)) }),
      prompt: lowerMessages(lowering, formOf(name)),
      providerOptions: {
        [name]: {
          store: false,
          ...(reasoningEffort === undefined ? {} : { forceReasoning: true, reasoningSummary: 'auto' }),
          ...defined({ strictJsonSchema: strict }),
          ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
          ...ownOptions(request, name),
        },
      },
    },
  };
}

function readSignature(signature: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(signature);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
