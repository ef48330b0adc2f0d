import { defined, isRecord } from '@attractor/base';

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
};

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
  return {
    ...(answer['decision'] === 'block' ? { block: reason } : {}),
    ...defined({ permission, updatedInput, updatedOutput, context }),
    ...(answer['continue'] === false ? { stop: text(answer['stopReason']) ?? NO_REASON } : {}),
    ...defined({ message, request }),
    ...(specific['retry'] === true ? { retry: true as const } : {}),
    ...(answer['suppressOutput'] === true ? { isQuiet: true as const } : {}),
  };
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
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
