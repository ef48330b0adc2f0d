import type { RuleSuggestion } from './remember.ts';

/**
 * A tool call that waits for a person. It has this one shape everywhere: in the session, the agent port, the stored prompt, the API, the
 * terminal and the browser. Fields that an agent does not know are absent.
 */
export type ApprovalRequest = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The command of the call; null if it has none. */
  readonly command?: string | null;
  /** A hash of exactly what is asked about; an answer to anything else does not count. */
  readonly contentHash?: string;
  /** Exactly what would run or change, safe for a terminal and a browser. */
  readonly shown?: string;
  /** Why a person is asked, and about which part. */
  readonly reason?: string;
  readonly part?: string;
  /** The rules that would let it run from now on, and where each choice would write them; empty if no rule can. */
  readonly suggestions?: ReadonlyArray<RuleSuggestion>;
};

/**
 * A person's answer, in one shape all the way back. The agent is told the `message` of a rejection. `input` runs instead of the call's own;
 * it is validated, and denied if a rule denies it. `remember` keeps rules that were suggested. With a `contentHash` the answer counts only
 * for that content.
 */
export type ApprovalAnswer = {
  readonly decision: 'approve' | 'reject';
  readonly message?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly remember?: Pick<RuleSuggestion, 'rules' | 'destination'>;
  readonly contentHash?: string;
};

export function isApprovalAnswer(answer: { readonly decision: string } | null): answer is ApprovalAnswer {
  return answer?.decision === 'approve' || answer?.decision === 'reject';
}

/** Why the call was rejected: the person's own words, if there are any. */
export function reasonOf({ message = '' }: ApprovalAnswer): string {
  return message === '' ? 'A person did not allow this.' : message;
}

export function commandOf(input: ApprovalRequest['input']): string | null {
  const { command } = input;
  return typeof command === 'string' ? command : null;
}

/** Why these rules can't be kept: only suggested ones can. Null if they can, or if there are none. */
export function problemOfRules(
  { suggestions = [] }: ApprovalRequest,
  { remember }: Pick<ApprovalAnswer, 'remember'>,
): string | null {
  if (remember === undefined) return null;
  const { rules, destination } = remember;
  const shown = suggestions.find((suggestion) => suggestion.destination === destination)?.rules;
  if (shown === undefined) return `no rule was suggested for ${destination}`;
  const others = rules.filter((rule) => !shown.includes(rule));
  return others.length === 0
    ? null
    : `${others.join(', ')} was not suggested; for ${destination} it is ${shown.join(', ')}`;
}
