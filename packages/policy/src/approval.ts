import type { RuleSuggestion } from './remember.ts';

/**
 * A tool call that waits for a person. It has this one shape everywhere: what the session asks, what an agent hands on, what is stored
 * as a prompt, what the API gives out, what a terminal and a browser show. A stored one may lack what its agent did not know.
 */
export type ApprovalRequest = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The command of the call; null when it has none. */
  readonly command?: string | null;
  /** A hash of exactly what is asked about; an answer to anything else does not count. */
  readonly contentHash?: string;
  /** Exactly what would run or change, safe for a terminal and a browser. */
  readonly shown?: string;
  /** Why a person is asked, and about which part. */
  readonly reason?: string;
  readonly part?: string;
  /** The rules that would let it run from now on, and where each choice would write them; empty when no rule can. */
  readonly suggestions?: ReadonlyArray<RuleSuggestion>;
};

/**
 * What a person says to it, in one shape on the same way back. The agent is told the `message` of a rejection. `input`: what is to run
 * instead; it is checked, and may not be what a rule denies. `remember`: rules to keep. With a
 * `contentHash` the answer counts for that content only.
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

/** Why the agent may not do it, in the person's words where there are any. */
export function reasonOf({ message = '' }: ApprovalAnswer): string {
  return message === '' ? 'A person did not allow this.' : message;
}

export function commandOf(input: ApprovalRequest['input']): string | null {
  const { command } = input;
  return typeof command === 'string' ? command : null;
}
