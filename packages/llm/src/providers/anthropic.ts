import { defined, once } from '@attractor/base';
import { HISTORY_RULES } from '../history/rules.ts';
import type { Message } from '../types/message.ts';
import type { Request } from '../types/request.ts';
import type { Warning } from '../types/response.ts';
import { placeBreakpoints } from './anthropic-cache.ts';
import { lowerCall, ownOptions } from './lower-call.ts';
import { lowerMessages, type MessageForm } from './lower-messages.ts';
import type { Lowered, Lowering, Protocol } from './protocol.ts';
import { plainEffort, thinkingBudget } from './thinking-budget.ts';

/** Loaded with the first request. */
const sdk = once(() => import('@ai-sdk/anthropic'));

/** Anthropic Messages: `URL/v1/messages`. */
export const anthropic: Protocol = {
  rules: HISTORY_RULES.anthropic,
  load: async ({ baseUrl, apiKey, isBearer, headers, fetch }) => {
    const { createAnthropic } = await sdk();
    const credential = isBearer ? { authToken: apiKey } : { apiKey };
    return createAnthropic({ baseURL: `${baseUrl}/v1`, ...credential, headers: { ...headers }, fetch });
  },
  lower: (lowering) => lowerAnthropic(lowering),
  keepsBytes: true,
  searchTool: ({ allowedDomains = [], blockedDomains = [] }) => ({
    type: 'provider',
    id: 'anthropic.web_search_20250305',
    name: 'web_search',
    // The service takes one of the two lists.
    args: {
      maxUses: 3,
      ...(allowedDomains.length > 0
        ? { allowedDomains: [...allowedDomains] }
        : blockedDomains.length > 0
          ? { blockedDomains: [...blockedDomains] }
          : {}),
    },
  }),
  proofOf: (metadata) => {
    const own = metadata?.['anthropic'] ?? {};
    return {
      ...(typeof own['signature'] === 'string' ? { signature: own['signature'] } : {}),
      ...(typeof own['redactedData'] === 'string' ? { redactedData: own['redactedData'] } : {}),
    };
  },
};

const DIALECT: MessageForm = {
  service: 'anthropic',
  media: ['DOCUMENT'],
  proofOptions: (part) => {
    if (part.kind === 'THINKING' && part.signature !== undefined) return { anthropic: { signature: part.signature } };
    return part.kind === 'REDACTED_THINKING' ? { anthropic: { redactedData: part.data } } : undefined;
  },
};

/** Our own keys among `providerOptions.anthropic`; the rest is passed through. */
const OWN_KEYS = ['autoCache', 'betaHeaders', 'thinkingDisplay'];
const CACHING_BETA = 'prompt-caching-2024-07-31';

/** For clouds, which refuse names of betas that they don't know, and need none for the cache. */
export function lowerInCloud(lowering: Lowering): Lowered {
  return lowerAnthropic(lowering, []);
}

function lowerAnthropic(lowering: Lowering, ofCache: ReadonlyArray<string> = [CACHING_BETA]): Lowered {
  const { request } = lowering;
  const options = request.providerOptions?.['anthropic'] ?? {};
  const { call, marked } = placeBreakpoints(
    { ...withoutIdleTools(lowerCall(lowering), lowering), prompt: lowerMessages(lowering, DIALECT) },
    options['autoCache'] === false ? 'off' : 'auto',
  );
  const betas = [...(marked ? ofCache : []), ...betaHeaders(options['betaHeaders'])];
  const userId = request.metadata?.['user_id'] ?? request.metadata?.['userId'];
  const { reasoning, options: thinking, warnings } = reasoningOf(request, lowering.history);
  return {
    call: {
      ...call,
      ...defined({ reasoning }),
      ...(betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } }),
      providerOptions: {
        anthropic: {
          ...thinking,
          ...(userId === undefined ? {} : { metadata: { userId } }),
          ...ownOptions(request, 'anthropic', OWN_KEYS),
        },
      },
    },
    warnings,
  };
}

function betaHeaders(value: unknown): ReadonlyArray<string> {
  const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return list.map((name) => String(name).trim()).filter((name) => name !== '');
}

/** "No tools" means none are sent, unless earlier turns used some: their blocks need the definitions. */
function withoutIdleTools(call: ReturnType<typeof lowerCall>, { history }: Lowering): ReturnType<typeof lowerCall> {
  if (call.toolChoice?.type !== 'none' || history.some(({ role }) => role === 'tool')) return call;
  const { tools: _tools, toolChoice: _choice, ...rest } = call;
  return rest;
}

/** Models up to 4.5, and unknown ones behind the same protocol, take a budget; later ones decide by effort. */
const TAKES_BUDGET = /claude-(?:[23]|instant|v2)|claude-(?:opus|sonnet|haiku)-4(?:-[015])?(?:[-@]\d{8}|-latest|$)/;

type Reasoning = {
  readonly reasoning?: Request['reasoningEffort'];
  readonly options: {
    readonly effort?: Request['reasoningEffort'];
    readonly thinking?:
      | { readonly type: 'enabled'; readonly budgetTokens: number }
      | { readonly type: 'adaptive'; readonly display: string };
  };
  readonly warnings: ReadonlyArray<Warning>;
};

/** The SDK adds the budget on top of `max_tokens`, so the answer keeps its room. A forced tool excludes thinking; the forced tool wins. */
function reasoningOf(request: Request, messages: ReadonlyArray<Message>): Reasoning {
  const { reasoningEffort: effort, toolChoice, model } = request;
  if (effort === undefined) return { options: {}, warnings: [] };
  const forced = toolChoice === 'required' || typeof toolChoice === 'object';
  const budgeted = TAKES_BUDGET.test(model) || !model.includes('claude-');
  if (!budgeted)
    return forced
      ? { options: { effort: plainEffort(effort) }, warnings: [] }
      : { reasoning: effort, options: shownAs(request), warnings: [] };
  if (!forced && canThink(messages))
    return { options: { thinking: { type: 'enabled', budgetTokens: thinkingBudget(effort) } }, warnings: [] };
  const why = forced ? 'a tool is demanded' : "the calls under way were made without this model's thinking";
  return { options: {}, warnings: [{ code: 'thinking_off', message: `Thinking is off for this request: ${why}.` }] };
}

/** Whether the service tells what the model thinks; it does unless it is told not to. */
function shownAs({ providerOptions }: Request): Reasoning['options'] {
  const display = providerOptions?.['anthropic']?.['thinkingDisplay'];
  return typeof display === 'string' ? { thinking: { type: 'adaptive', display } } : {};
}

/** With a budget, answers that wait for tool results must begin with their thinking; if that was another model's, they cannot. */
function canThink(messages: ReadonlyArray<Message>): boolean {
  const asked = messages.findLastIndex(({ role }, at) => role === 'user' && messages[at - 1]?.role !== 'tool');
  const calling = messages.slice(asked + 1).filter(({ content }) => content.some(({ kind }) => kind === 'TOOL_CALL'));
  return calling.every(({ content }) => content[0]?.kind === 'THINKING' || content[0]?.kind === 'REDACTED_THINKING');
}
