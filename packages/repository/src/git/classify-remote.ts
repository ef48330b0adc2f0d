import type { Refusal } from '@attractor/store';
import { fail, failForNow, type ScmFailure } from './outside-result.ts';

type Cause = {
  readonly signs: RegExp;
  readonly code: ScmFailure['code'];
  readonly retryable?: true;
  readonly advice: (where: Where) => string;
  /** The same for a clone, where that can happen. */
  readonly ofClone?: (url: string) => string;
};

type Where = { readonly remote: string; readonly branch: string };

/** In this order: the first match decides. An unknown message is reported in git's own words and not retried. */
const CAUSES: ReadonlyArray<Cause> = [
  {
    signs: /\((?:non-fast-forward|fetch first|stale info)\)|tip of your current branch is behind/,
    code: 'conflict',
    advice: ({ remote, branch }) =>
      `${remote} has commits on ${branch} that are not here. Nothing is forced: look at them, bring the branch up to date and push again.`,
  },
  {
    signs: /protected branch|GH006|GH013|repository rule violations|not allowed to (?:push|force)/i,
    code: 'blocked',
    advice: ({ remote, branch }) =>
      `${remote} protects ${branch} against this push. Change the rule there, or merge there by hand.`,
  },
  {
    signs: /hook declined/,
    code: 'blocked',
    advice: ({ remote }) => `A hook of ${remote} refused the push. Do what it says, then push again.`,
  },
  {
    signs:
      /authentication failed|could not read (?:username|password)|permission denied|terminal prompts disabled|invalid username or|host key verification failed|access denied|error: 40[13]/i,
    code: 'unavailable',
    advice: ({ remote }) =>
      `${remote} refused access. Check that "git push ${remote}" works for you without asking anything, then push again.`,
    ofClone: (url) =>
      `${url} refused access. Make "git ls-remote ${url}" work without asking anything for the user that this server runs as (an ssh key, or a credential helper of git), then try again.`,
  },
  {
    signs:
      /could not resolve host|failed to connect|couldn't connect|connection (?:refused|reset|timed out|closed)|network is unreachable|no route to host|operation timed out|remote end hung up|early eof|took longer than|error: (?:429|5\d\d)|temporary failure/i,
    code: 'unavailable',
    retryable: true,
    advice: ({ remote }) => `${remote} can't be reached now.`,
    ofClone: (url) => `${url} can't be reached now: check the address and the network, then try again.`,
  },
  {
    signs:
      /does not appear to be a git repository|repository .*not found|does not exist|no such (?:file|remote)|error: 404/i,
    code: 'not_found',
    advice: ({ remote }) =>
      `There is no repository where ${remote} points to. Correct its address ("git remote set-url ${remote} …"; of a clone that a worker made, git.remoteUrl in the project's settings), then push again.`,
    ofClone: (url) => `There is no repository at ${url}, or it can't be seen from here. Check the address.`,
  },
  {
    signs: /no space left|out of diskspace/i,
    code: 'unavailable',
    retryable: true,
    advice: ({ remote }) => `No space left on a disk, here or at ${remote}: make room.`,
  },
  {
    signs: /disk quota|unpacker error|shallow update not allowed/i,
    code: 'unavailable',
    advice: ({ remote }) => `${remote} could not accept the commits. Look at its message, then push again.`,
  },
];

/** Why a remote refused, in words that say what to do. The work itself stays where it was. */
export function classifyRemote(said: string, where: Where): ScmFailure {
  const cause = CAUSES.find(({ signs }) => signs.test(said));
  const quoted = lastLines(said);
  const message = `${cause?.advice(where) ?? `${where.remote} refused ${where.branch}.`}${quoted === '' ? '' : ` It said: ${quoted}`}`;
  return cause?.retryable === true
    ? failForNow(message, { said }).error
    : fail(cause?.code ?? 'unavailable', message, { said }).error;
}

/** Why a repository could not be cloned. */
export function whyNotCopied(said: string, url: string): Refusal {
  const cause = CAUSES.find(({ signs, ofClone }) => ofClone !== undefined && signs.test(said));
  const why = cause?.ofClone?.(url) ?? `${url} could not be cloned.`;
  const code = cause?.code ?? 'unavailable';
  return { code: code === 'not_found' ? 'invalid' : code, message: `${why} Git said: ${lastLines(said)}` };
}

const QUOTED_LINES = 4;

function lastLines(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:hint:|To |Done$)/.test(line));
  return lines.slice(-QUOTED_LINES).join(' · ').slice(0, 600);
}
