import { defined, once } from '@attractor/base';
import { HISTORY_RULES } from '../history/rules.ts';
import { lowerCall, ownOptions } from './lower-call.ts';
import { lowerMessages, type MessageForm } from './lower-messages.ts';
import type { Lowered, Lowering, Protocol } from './protocol.ts';
import { plainEffort } from './thinking-budget.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/openai-compatible'));

/** Chat Completions, OpenAI's and everyone's: `URL/chat/completions`. */
export const openaiChat: Protocol = {
  rules: HISTORY_RULES['openai-chat'],
  load: async ({ baseUrl, apiKey, headers, fetch }, service) => {
    const { createOpenAICompatible } = await sdk();
    const provider = createOpenAICompatible({
      name: optionsName(service),
      baseURL: baseUrl,
      ...(apiKey === '' ? {} : { apiKey }),
      headers: { ...headers },
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return (model) => provider.chatModel(model);
  },
  lower: lowerOpenaiChat,
  proofOf: () => ({}),
};

const DIALECT: MessageForm = { service: 'openai-chat', media: ['AUDIO', 'DOCUMENT'], proofOptions: () => undefined };

function lowerOpenaiChat(lowering: Lowering): Lowered {
  const { request, service } = lowering;
  const { reasoningEffort: effort, responseFormat } = request;
  const reasoningEffort = effort === undefined ? undefined : plainEffort(effort);
  const strict = responseFormat?.type === 'json_schema' ? responseFormat.strict : undefined;
  return {
    call: {
      ...lowerCall(lowering),
      prompt: lowerMessages(lowering, { ...DIALECT, service }),
      providerOptions: {
        [optionsName(service)]: {
          ...defined({ reasoningEffort, strictJsonSchema: strict }),
          ...ownOptions(request, service),
        },
      },
    },
  };
}

/** The SDK wants its options under a camel-case name. */
function optionsName(service: string): string {
  return service.replaceAll(/[-_](\w)/g, (_match, letter: string) => letter.toUpperCase());
}
