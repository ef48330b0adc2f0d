import type { AgentFailure } from './agent.ts';

/** Long enough for a sentence with its time, too short for a report that is about limits. */
const MAX_CHARS = 400;

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

/** What a program says at its end when it can work no more: its last lines, and nothing else after them. */
export function limitIn(output: string): string | null {
  const last = lastLines(output);
  return isMeant(last) && MEANINGS[0]?.words.test(last) === true ? last : null;
}

/** What a program's last words mean: for those of a program that failed. Null: no more than that it failed. */
export function meaningOf(words: string): Pick<AgentFailure, 'code' | 'retryable'> | null {
  const found = MEANINGS.find((meaning) => meaning.words.test(words));
  return found === undefined ? null : { code: found.code, retryable: found.retryable };
}

function isMeant(last: string): boolean {
  return last.length <= MAX_CHARS && !last.includes('<<<');
}

function lastLines(output: string): string {
  return (
    output
      .trim()
      .split(/\n[ \t]*\r?\n/)
      .at(-1) ?? ''
  );
}
