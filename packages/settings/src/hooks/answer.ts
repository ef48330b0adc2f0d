import { defined, isRecord } from '@attractor/base';
import { misplacedDecision, vainFields } from './answer-fields.ts';

export type PermissionAnswer = 'allow' | 'deny' | 'ask' | 'defer';

/** What a handler may answer, as published: on stdout, in a body, or as the value of a function. */
export type HookAnswer = {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  readonly decision?: 'block' | 'approve' | (string & {});
  readonly reason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>> & { readonly hookEventName?: string };
};

/** The answer in a person's place when a call would ask. */
export type RequestDecision =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      readonly updatedPermissions?: ReadonlyArray<unknown>;
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt: boolean };

/** One handler's parsed answer. Absent fields: it said nothing about that. */
export type ParsedHookAnswer = {
  readonly block?: string;
  readonly permission?: { readonly word: PermissionAnswer; readonly reason: string };
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedOutput?: string;
  readonly context?: string;
  readonly stop?: string;
  readonly message?: string;
  readonly request?: RequestDecision;
  readonly retry?: true;
  readonly isQuiet?: true;
  /** The first words of a session, before those of the person. */
  readonly initialMessage?: string;
  /** Further files whose changes are told to FileChanged. */
  readonly watchPaths?: ReadonlyArray<string>;
  /** The answer to a server's question. */
  readonly elicitation?: ElicitationAnswer;
  /** The folder that an agent works in. */
  readonly worktreePath?: string;
  /** What is shown in place of what the model said. */
  readonly display?: string;
  /** What the session is called. */
  readonly title?: string;
  /** Notifies a person at a terminal, or sets its title; nothing else. */
  readonly terminalSequence?: string;
  /** Skills and commands are to be read again. */
  readonly reloadsSkills?: true;
  /** What it asked for that has no effect here. */
  readonly unheeded?: ReadonlyArray<string>;
  /** Why it can't be known what a guard decided. */
  readonly unclear?: string;
};

export type ElicitationAnswer = {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
};

/** Published fields of answers that have no effect, and why. */
const UNHEEDED: Readonly<Record<string, string>> = {
  classifierContext: 'no second model judges calls',
};

/** `deny` is the word of other agents: a guard that says so means it. */
const REFUSALS: ReadonlySet<unknown> = new Set(['block', 'deny']);

const NO_REASON = 'a hook gave no reason';

/** Parses an answer. Fields of the wrong type are ignored, like unknown ones. */
export function readAnswer(answer: Readonly<Record<string, unknown>>): ParsedHookAnswer {
  const given = answer['hookSpecificOutput'];
  const specific = isRecord(given) ? given : {};
  const reason = text(answer['reason']) ?? NO_REASON;
  const permission = permissionOf(answer, specific);
  const request = requestOf(specific['decision']);
  const updatedInput = isRecord(specific['updatedInput']) ? specific['updatedInput'] : undefined;
  const updatedOutput = outputOf(specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput']);
  const context = text(specific['additionalContext']) ?? text(answer['additionalContext']);
  const message = text(answer['systemMessage']);
  const unclear = unclearIn(answer, request);
  const why = unclear[0]?.text ?? misplacedDecision(answer) ?? undefined;
  return {
    ...(REFUSALS.has(answer['decision']) ? { block: reason } : {}),
    ...defined({ permission, updatedInput, updatedOutput, context }),
    ...(answer['continue'] === false ? { stop: text(answer['stopReason']) ?? NO_REASON } : {}),
    ...defined({ message, request }),
    ...(specific['retry'] === true ? { retry: true as const } : {}),
    ...(answer['suppressOutput'] === true ? { isQuiet: true as const } : {}),
    ...defined({ initialMessage: text(specific['initialUserMessage']), elicitation: elicitationOf(specific) }),
    ...(typeof specific['displayContent'] === 'string' ? { display: specific['displayContent'] } : {}),
    ...defined({ worktreePath: text(specific['worktreePath']), title: text(specific['sessionTitle']) }),
    ...(specific['reloadSkills'] === true ? { reloadsSkills: true as const } : {}),
    ...(isTexts(specific['watchPaths']) ? { watchPaths: specific['watchPaths'] } : {}),
    ...unheededIn({ answer, specific, unclear }),
    ...defined({ unclear: why && `its answer is not understood: ${why}` }),
    ...sequenceOf(answer['terminalSequence']),
  };
}

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

function elicitationOf({ action, content }: Readonly<Record<string, unknown>>): ElicitationAnswer | undefined {
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) return undefined;
  return { action: known, ...(isRecord(content) ? { content } : {}) };
}

type Unheeded = {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly specific: Readonly<Record<string, unknown>>;
  readonly unclear: ReadonlyArray<Unclear>;
};

type Unclear = { readonly field: string; readonly text: string };

function unheededIn({ answer, specific, unclear }: Unheeded): Pick<ParsedHookAnswer, 'unheeded'> {
  const found = Object.entries(UNHEEDED).filter(([name]) => (specific[name] ?? answer[name] ?? false) !== false);
  const unknown = [
    ...unknownWord('decision', answer['decision'], ['block', 'approve']),
    ...unknownWord('permissionDecision', specific['permissionDecision'], PERMISSION_WORDS),
  ];
  const wrong = unclear
    .filter(({ field }) => !unknown.some((line) => line.startsWith(`"${field}":`)))
    .map(({ text: said }) => `${said}, which has no effect`);
  const named = found.map(([name, why]) => `"${name}" has no effect here: ${why}`);
  const unheeded = [...named, ...unknown, ...wrong, ...vainFields(answer)];
  return unheeded.length === 0 ? {} : { unheeded };
}

/** What a guard says in a word that nobody knows lets everything through: that is told. */
function unknownWord(field: string, word: unknown, known: ReadonlyArray<string>): ReadonlyArray<string> {
  if (typeof word !== 'string' || known.includes(word) || (field === 'decision' && REFUSALS.has(word))) return [];
  return [`"${field}": ${JSON.stringify(word.slice(0, 40))} has no effect: expected ${known.join(' or ')}`];
}

/** Fields whose values no guard means anything by. */
function unclearIn(
  answer: Readonly<Record<string, unknown>>,
  request: RequestDecision | undefined,
): ReadonlyArray<Unclear> {
  const { decision, hookSpecificOutput } = answer;
  const specific = isRecord(hookSpecificOutput) ? hookSpecificOutput : {};
  const checks: Readonly<Record<string, readonly [value: unknown, isClear: boolean]>> = {
    hookSpecificOutput: [hookSpecificOutput, isRecord(hookSpecificOutput)],
    continue: [answer['continue'], typeof answer['continue'] === 'boolean'],
    decision: [decision, decision === 'approve' || decision === 'allow' || REFUSALS.has(decision)],
    permissionDecision: [specific['permissionDecision'], isPermissionWord(specific['permissionDecision'])],
    updatedInput: [specific['updatedInput'], isRecord(specific['updatedInput'])],
    'hookSpecificOutput.decision': [specific['decision'], request !== undefined],
  };
  return Object.entries(checks)
    .filter(([, [value, isClear]]) => (value ?? null) !== null && !isClear)
    .map(([field, [value]]) => ({ field, text: `"${field}" is ${JSON.stringify(value).slice(0, 40)}` }));
}

/** Titles (0, 1, 2), notifications (9, 99, 777) and the bell. */
const SEQUENCES = /^(?:\u0007|\u001b\](?:0|1|2|9|99|777);[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\))+$/;

function sequenceOf(value: unknown): Pick<ParsedHookAnswer, 'terminalSequence' | 'unheeded'> {
  const sequence = text(value);
  if (sequence === undefined) return {};
  if (SEQUENCES.test(sequence)) return { terminalSequence: sequence };
  return { unheeded: ['"terminalSequence" has no effect here: only titles, notifications and the bell are passed on'] };
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const PERMISSION_WORDS: ReadonlyArray<string> = ['allow', 'deny', 'ask', 'defer'] satisfies PermissionAnswer[];

function isPermissionWord(value: unknown): value is PermissionAnswer {
  return typeof value === 'string' && PERMISSION_WORDS.includes(value);
}

/** `decision: "approve"` is the older form. */
function permissionOf(
  answer: Readonly<Record<string, unknown>>,
  specific: Readonly<Record<string, unknown>>,
): ParsedHookAnswer['permission'] {
  const word = specific['permissionDecision'];
  if (isPermissionWord(word)) return { word, reason: text(specific['permissionDecisionReason']) ?? NO_REASON };
  return answer['decision'] === 'approve' ? { word: 'allow', reason: text(answer['reason']) ?? NO_REASON } : undefined;
}

function requestOf(value: unknown): RequestDecision | undefined {
  if (!isRecord(value)) return undefined;
  if (value['behavior'] === 'deny')
    return { behavior: 'deny', message: text(value['message']) ?? NO_REASON, interrupt: value['interrupt'] === true };
  if (value['behavior'] !== 'allow') return undefined;
  const { updatedInput, updatedPermissions } = value;
  return {
    behavior: 'allow',
    ...(isRecord(updatedInput) ? { updatedInput } : {}),
    ...(Array.isArray(updatedPermissions) ? { updatedPermissions } : {}),
  };
}

function outputOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : (wordsIn(value) ?? JSON.stringify(value));
}

/** The words of what a tool of a server answers: blocks of text, alone or as `content`. Null: it holds something else. */
function wordsIn(value: unknown): string | null {
  const blocks = isRecord(value) && Object.keys(value).join() === 'content' ? value['content'] : value;
  if (!Array.isArray(blocks) || blocks.length === 0) return null;
  const words = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  return words.length === blocks.length ? words.join('\n') : null;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
