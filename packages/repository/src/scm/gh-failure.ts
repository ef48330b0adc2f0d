import type { GhAnswer } from './gh-program.ts';
import { fail, failForNow, type ScmResult } from '../git/outside-result.ts';

type Cause = readonly [
  signs: RegExp,
  code: 'for now' | 'conflict' | 'not_found' | 'unavailable' | 'blocked',
  advice: string,
];

const CONFLICTING = /not mergeable|merge conflict|conflicts must be resolved|is in (?:dirty|conflicting)/i;

/** In this order: the first match decides. */
const CAUSES: ReadonlyArray<Cause> = [
  [/rate limit|abuse detection|HTTP 429/i, 'for now', 'GitHub asks us to wait.'],
  [
    /error connecting|dial tcp|no such host|i\/o timeout|took longer than|connection re(?:set|fused)|TLS handshake|unexpected EOF|HTTP 5\d\d/i,
    'for now',
    "GitHub can't be reached now.",
  ],
  [
    /auth login|authentication|HTTP 401|bad credentials|token.*(?:expired|invalid)/i,
    'unavailable',
    'gh is not logged in: run "gh auth login", then try again.',
  ],
  [
    /HTTP 403|resource not accessible|must have admin rights/i,
    'blocked',
    'The login of gh is not allowed to do this: check its rights.',
  ],
  [
    /head branch was modified|head sha|expected head/i,
    'conflict',
    "GitHub can't merge it as it is: bring the branch up to date, then merge again.",
  ],
  [CONFLICTING, 'conflict', "GitHub can't merge it as it is: let an agent resolve it, or bring the branch up to date."],
  [
    /base branch policy|protected branch|required status check|review is required|is in draft|still a draft/i,
    'blocked',
    'A rule of the repository forbids it now: satisfy it, then try again.',
  ],
  [
    /HTTP 404|could not resolve to|no pull requests found|not found/i,
    'not_found',
    "GitHub can't find it: check the number and the address of the remote.",
  ],
];

/** A failed answer of `gh`, in words that say what to do. */
export function ghFailure({ stderr, stdout, exitCode }: GhAnswer): Extract<ScmResult<never>, { ok: false }> {
  const said = (stderr.trim() === '' ? stdout : stderr).trim();
  const cause = CAUSES.find(([signs]) => signs.test(said));
  const message = `${cause?.[2] ?? `gh ended with ${exitCode}.`}${said === '' ? '' : ` It said: ${said.slice(0, 600)}`}`;
  const code = cause?.[1] ?? 'unavailable';
  if (code === 'for now') return failForNow(message);
  // Which files it is about, GitHub does not say.
  return cause?.[0] === CONFLICTING ? fail(code, message, { conflicts: [] }) : fail(code, message);
}
