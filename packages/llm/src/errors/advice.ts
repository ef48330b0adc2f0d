import type { LlmErrorCode } from '../types/error.ts';

export type FailureWords = {
  readonly provider: string;
  readonly model: string;
  readonly keyVariable?: string;
  readonly status: number | undefined;
  readonly said: string;
};

/** One line for a person: what happened, what the provider said, what to do. */
export function describeFailure(code: LlmErrorCode, words: FailureWords): string {
  const { what, advice } = ADVICE[code] ?? UNKNOWN;
  const status = words.status === undefined ? '' : ` (${words.status})`;
  const said = words.said.trim().replaceAll(/\s+/g, ' ').slice(0, 500).toWellFormed().replace(/[.]$/, '');
  return `${words.provider}: ${what(words)}${status}: ${said}. ${advice(words)}`;
}

type Advice = { readonly what: (words: FailureWords) => string; readonly advice: (words: FailureWords) => string };

const say = (what: string, advice: string): Advice => ({ what: () => what, advice: () => advice });

const UNKNOWN = say('unexpected failure', 'Try again; if it persists, look at the raw error.');

const ADVICE: Readonly<Record<string, Advice>> = {
  authentication: {
    what: () => 'the API key was refused',
    advice: ({ keyVariable }) =>
      `Set a valid key${keyVariable === undefined ? '' : ` in ${keyVariable} or`} in the configuration.`,
  },
  access_denied: say('access denied', 'Check that the key may use this model and region.'),
  not_found: {
    what: ({ model }) => `model "${model}" or its address was not found`,
    advice: () => 'Check the model name and the base URL.',
  },
  invalid_request: say('the request was refused', 'Change the request; the same one will be refused again.'),
  context_length: say(
    'the conversation is too long for the model',
    'Compact or shorten it, or use a model with a larger window.',
  ),
  rate_limit: say('rate limit', 'Wait, or lower the number of parallel requests.'),
  quota_exceeded: say(
    'the quota or spend limit is used up',
    "Raise the limit or add credit in the provider's console; waiting does not help.",
  ),
  overloaded: say('the provider is overloaded', 'Try again in a while, or use another model.'),
  server: say('the provider failed', "Try again in a while; see the provider's status page."),
  content_filter: say('blocked by a content filter', 'Rephrase the request.'),
  timeout: say('the provider gave up waiting', 'Try again, or ask for less at once.'),
  stream: say('the answer broke off', 'Ask again.'),
};
