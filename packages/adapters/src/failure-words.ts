import type { AgentFailure } from './agent.ts';

type Meaning = { readonly code: string; readonly words: RegExp; readonly retryable: boolean };

/** What programs say when their provider, or the machine, lets them work no more. */
const MEANINGS: ReadonlyArray<Meaning> = [
  {
    code: 'rate_limit',
    words:
      /usage limit|rate.?limit|limit reached|(?:hit|reached|exceeded) (?:your|the|its)[\w -]{0,30}(?:limit|quota)|quota exceeded|too many requests/i,
    retryable: true,
  },
  {
    code: 'authentication',
    words:
      /not logged in|please (?:run|log) ?\/?(?:in|login)|log ?in (?:again|first|required)|invalid (?:api|x-api)[ -]key|authentication(?:_error| required| failed)|unauthorized|(?:token|session|credentials?) (?:has |have )?expired|no api key|missing (?:api key|environment variable)|401\b/i,
    retryable: false,
  },
];

/** What an error of an agent's own means, in its words. Null: no more than that it failed. */
export function meaningOf(words: string): Pick<AgentFailure, 'code' | 'retryable'> | null {
  const found = MEANINGS.find((meaning) => meaning.words.test(words));
  return found === undefined ? null : { code: found.code, retryable: found.retryable };
}

/** The last words of a program that failed, which may speak of anything: limits are stated, not mentioned. */
export function meaningOfOutput(last: string): Pick<AgentFailure, 'code' | 'retryable'> | null {
  const found = meaningOf(last);
  return found?.code === 'rate_limit' ? null : found;
}
