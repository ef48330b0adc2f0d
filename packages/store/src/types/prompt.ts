import type { Id } from '@attractor/base/id';
import type { RuleDestination } from '@attractor/policy';

export type PromptType = 'question' | 'options' | 'plan_approval' | 'tool_approval' | 'review' | 'budget';

/**
 * Every question to a person. Answered once: a second answer is refused. `contentHash` binds an approval to exactly
 * what was shown.
 */
export type Prompt = {
  readonly id: Id<'prm'>;
  readonly taskId: Id<'tsk'>;
  readonly runId: Id<'run'> | null;
  readonly type: PromptType;
  readonly title: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly contentHash: string;
  readonly status: 'pending' | 'answered' | 'cancelled';
  readonly answer: PromptAnswer | null;
  readonly createdAt: string;
  readonly answeredAt: string | null;
};

/**
 * `approve`/`reject` for approvals and reviews, `answer` for questions and options; `message` goes to the agent. To a tool's approval
 * also `input`, what is to run instead, and `remember`, the rules to keep.
 */
export type PromptAnswer = {
  readonly decision: 'approve' | 'reject' | 'changes' | 'answer';
  readonly message?: string;
  readonly plan?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly remember?: { readonly rules: ReadonlyArray<string>; readonly destination: RuleDestination };
  readonly answers?: ReadonlyArray<{ readonly questionId: string; readonly answer: string }>;
};

export const DECISIONS: Readonly<Record<PromptType, ReadonlyArray<PromptAnswer['decision']>>> = {
  question: ['answer'],
  options: ['answer'],
  plan_approval: ['approve', 'changes', 'reject'],
  review: ['approve', 'changes', 'reject'],
  tool_approval: ['approve', 'reject'],
  budget: ['approve', 'reject'],
};
