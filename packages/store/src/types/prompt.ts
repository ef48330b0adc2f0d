import type { Id } from '@attractor/base/id';
import type { ApprovalAnswer, ApprovalRequest, RuleDestination, RuleSuggestion } from '@attractor/policy';
import { criterion } from './criterion.ts';
import { deviation, plan } from './plan/index.ts';
import { newSubtask, type NewSubtask } from './split.ts';
import { anything, type Is, isShaped, known, list, maybe, number, oneOf, orNull } from './shape.ts';
import { record, type Shape, type ShapeOf, shaped, type Shaped, text, yesOrNo } from './shape.ts';

export const question = shaped({
  id: text,
  question: text,
  context: maybe(text),
  /** `choice`: the answer has to be one of the options; `boolean`: yes or no. Otherwise the options are suggestions. */
  inputType: maybe(text),
  options: maybe(list(text)),
  /** The answer that whoever asks would take. */
  suggested: maybe(text),
});

type Question = { readonly options?: ReadonlyArray<string>; readonly inputType?: string; readonly suggested?: string };

const YES_OR_NO = ['yes', 'no'] as const;

/** The answers that a person is offered, the suggested one first. */
export function offeredAnswers(asked: Question): ReadonlyArray<string> {
  const { inputType, suggested } = asked;
  const options = inputType === 'boolean' ? YES_OR_NO : (asked.options ?? []);
  const isBound = inputType === 'choice' || inputType === 'boolean';
  const isPossible = suggested !== undefined && (!isBound || options.includes(suggested));
  return isPossible ? [suggested, ...options.filter((option) => option !== suggested)] : options;
}

export const proposal = shaped({
  id: text,
  label: text,
  description: text,
  tradeoffs: maybe(text),
  recommended: maybe(yesOrNo),
});

const DESTINATIONS = [
  'session',
  'localSettings',
  'projectSettings',
  'userSettings',
] as const satisfies ReadonlyArray<RuleDestination>;

const suggestion = known<RuleSuggestion>({ rules: list(text), destination: oneOf(DESTINATIONS), file: orNull(text) });

const APPROVAL: ShapeOf<ApprovalRequest> = {
  toolCallId: text,
  toolName: text,
  input: record,
  command: maybe(orNull(text)),
  contentHash: maybe(text),
  shown: maybe(text),
  reason: maybe(text),
  part: maybe(text),
  suggestions: maybe(list(suggestion)),
};

type Decision = 'approve' | 'reject' | 'changes' | 'answer';

const of = <const Payload extends Shape>(decisions: ReadonlyArray<Decision>, payload: Payload) => ({
  decisions,
  payload,
});

/**
 * Which status each decision leads to. `ways` is the status for each option. `again` is the mode in which the agent is started anew: the
 * task stays where it is.
 */
const LEADS = { answers: maybe(record), ways: maybe(record), again: maybe(text) };
const JUDGED = ['approve', 'changes', 'reject'] as const;

/** The one map of questions: for every type, the possible decisions and what is shown. */
export const PROMPT_TYPES = {
  question: of(['answer'], { ...LEADS, questions: maybe(list(question)), question: maybe(text) }),
  options: of(['answer'], { ...LEADS, summary: maybe(text), options: maybe(list(proposal)) }),
  /** `plan` is the text that is approved; `data` is the same for programs, if the text has that form. */
  plan_approval: of(JUDGED, { ...LEADS, plan: maybe(orNull(text)), data: maybe(orNull(plan)) }),
  review: of(JUDGED, {
    ...LEADS,
    branch: maybe(orNull(text)),
    /** Of a part of the work: an approval leads on to the next one, and nothing can be merged yet. */
    part: maybe(yesOrNo),
    /** The commit that is shown: an approval counts for its change. */
    head: maybe(orNull(text)),
    proposedPhases: maybe(anything),
    criteria: maybe(list(criterion)),
    /** What the plan says is to be done, and how it stands. */
    todo: maybe(list(criterion)),
    deviations: maybe(list(deviation)),
  }),
  split_proposal: of(JUDGED, { ...LEADS, reason: maybe(text), subtasks: list(newSubtask) }),
  tool_approval: of(['approve', 'reject'], APPROVAL),
  budget: of(['approve', 'reject'], {
    budgetId: text,
    spent: maybe(text),
    raiseUsd: maybe(orNull(number)),
    raiseTokens: maybe(orNull(number)),
    /** The limits after an approval, for people. */
    raisedTo: maybe(text),
  }),
  /** A question that this version can't parse, as written. A version that can may answer it. */
  unknown: of([], { type: text, payload: record }),
} as const;

export type PromptType = keyof typeof PROMPT_TYPES;

export type PromptPayload = { readonly [Type in PromptType]: Shaped<(typeof PROMPT_TYPES)[Type]['payload']> };

/** A question of one of these types. */
export type PromptOf<Type extends PromptType> = {
  [Name in Type]: {
    readonly id: Id<'prm'>;
    /** `ATT-12.q2`: the second question about the task. */
    readonly key: string;
    readonly taskId: Id<'tsk'>;
    readonly runId: Id<'run'> | null;
    readonly type: Name;
    readonly title: string;
    readonly payload: PromptPayload[Name];
    readonly contentHash: string;
    readonly status: 'pending' | 'answered' | 'cancelled';
    readonly answer: PromptAnswer | null;
    readonly createdAt: string;
    readonly answeredAt: string | null;
  };
}[Type];

/** Every question to a person. Answered once: a second answer is refused. `contentHash` binds an approval to exactly what was shown. */
export type Prompt = PromptOf<PromptType>;

/** What is asked, before it is stored. */
export type PromptContent<Type extends PromptType = Exclude<PromptType, 'unknown'>> = {
  [Name in Type]: { readonly type: Name; readonly payload: PromptPayload[Name] };
}[Type];

/**
 * `approve`/`reject` for approvals and reviews, `answer` for questions and options; `message` goes to the agent. The answer to a tool call
 * goes back to the session unchanged.
 */
export type PromptAnswer = Omit<ApprovalAnswer, 'decision' | 'contentHash'> & {
  readonly decision: Decision;
  /** As a person corrected it, in the form in which it is stored with the task. */
  readonly plan?: string;
  /** The subtasks to make in place of the proposed ones. */
  readonly subtasks?: ReadonlyArray<NewSubtask>;
  /** Only the proposed subtasks with these names. */
  readonly only?: ReadonlyArray<string>;
  readonly answers?: ReadonlyArray<{ readonly questionId: string; readonly answer: string }>;
};

/** An answer as it is given: a corrected plan may be an object, a text in JSON, or markdown. */
export type GivenAnswer = Omit<PromptAnswer, 'plan'> & { readonly plan?: string | Readonly<Record<string, unknown>> };

/** A question as stored or sent. */
export type RawPrompt = Omit<PromptOf<'unknown'>, 'type' | 'payload'> & Written;

type Written = { readonly type: string; readonly payload: Readonly<Record<string, unknown>> };

/** The only place where questions are decoded. What this version can't parse is kept as written. */
export function readPrompt(raw: RawPrompt): Prompt {
  const { type, payload } = raw;
  const read = isPromptType(type) ? { ...raw, type, payload: fitting(type, payload) } : null;
  if (read !== null && isPrompt(read)) return read;
  return { ...raw, type: 'unknown', payload: { type, payload } };
}

/** A question from fields that an agent gave; invalid ones are left out. */
export function askOf<Type extends PromptType>(
  type: Type,
  given: Readonly<Record<string, unknown>>,
): { readonly type: Type; readonly payload: PromptPayload[Type] } {
  const payload = fitting(type, given);
  if (isPayload(type, payload)) return { type, payload };
  throw new Error(`A prompt of the type ${type} lacks what it asks about`);
}

function fitting(type: PromptType, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape: Shape = PROMPT_TYPES[type].payload;
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return field === undefined || typeof field === 'function' || field.maybe(value);
    }),
  );
}

/** Whether a value is a question of a known type with valid fields. */
export const isPrompt: Is<Prompt> = (value): value is Prompt =>
  record(value) &&
  text(value['id']) &&
  text(value['taskId']) &&
  text(value['status']) &&
  text(value['type']) &&
  isPromptType(value['type']) &&
  isPayload(value['type'], value['payload']);

function isPayload<Type extends PromptType>(type: Type, payload: unknown): payload is PromptPayload[Type] {
  return isShaped(PROMPT_TYPES[type].payload, payload);
}

function isPromptType(type: string): type is PromptType {
  return Object.hasOwn(PROMPT_TYPES, type);
}
