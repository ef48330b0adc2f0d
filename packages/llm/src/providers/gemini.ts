import { defined, once } from '@attractor/base';
import { HISTORY_RULES } from '../history/rules.ts';
import type { Request } from '../types/request.ts';
import { lowerCall, ownOptions } from './lower-call.ts';
import { lowerMessages, type MessageForm } from './lower-messages.ts';
import type { Lowered, Lowering, Protocol } from './protocol.ts';
import { thinkingBudget } from './thinking-budget.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/google'));

/** Gemini: `URL/v1beta/models/M:streamGenerateContent`. */
export const gemini: Protocol = {
  rules: HISTORY_RULES.gemini,
  load: async ({ baseUrl, apiKey, headers, fetch }) => {
    const { createGoogle } = await sdk();
    return createGoogle({ baseURL: `${baseUrl}/v1beta`, apiKey, headers: { ...headers }, fetch });
  },
  lower: lowerGemini,
  searchTool: () => ({ type: 'provider', id: 'google.google_search', name: 'google_search', args: {} }),
  proofOf: (metadata) => {
    const signature = (metadata?.['google'] ?? metadata?.['googleVertex'])?.['thoughtSignature'];
    return typeof signature === 'string' && signature !== '' ? { signature } : {};
  },
};

const DIALECT: MessageForm = {
  service: 'gemini',
  media: ['AUDIO', 'DOCUMENT'],
  proofOptions: (part) =>
    part.kind !== 'REDACTED_THINKING' && part.signature !== undefined
      ? { google: { thoughtSignature: part.signature } }
      : undefined,
};

function lowerGemini(lowering: Lowering): Lowered {
  const { request } = lowering;
  const { reasoning, thinkingConfig } = thinkingOf(request);
  return {
    call: {
      ...lowerCall(lowering),
      prompt: lowerMessages(lowering, DIALECT),
      ...defined({ reasoning }),
      providerOptions: {
        google: {
          ...defined({ thinkingConfig }),
          ...ownOptions(request, 'gemini'),
          ...ownOptions(request, 'google'),
        },
      },
    },
  };
}

type Thinking = {
  readonly reasoning?: Request['reasoningEffort'];
  readonly thinkingConfig?: { readonly includeThoughts: true; readonly thinkingBudget?: number };
};

/** Models up to 2.5 take a budget of tokens, later ones a level. */
function thinkingOf({ reasoningEffort, model }: Request): Thinking {
  if (reasoningEffort === undefined) return {};
  const takesLevel = /gemini-(?:[3-9]|\d\d)/.test(model);
  if (takesLevel) return { reasoning: reasoningEffort, thinkingConfig: { includeThoughts: true } };
  return { thinkingConfig: { includeThoughts: true, thinkingBudget: thinkingBudget(reasoningEffort) } };
}
