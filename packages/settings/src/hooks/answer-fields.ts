import { isRecord } from '@attractor/base';
import { nearName } from '../settings/near-name.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'a text' | 'true or false' | 'a list of texts' | 'a number' | 'an object' | 'read elsewhere';

/** The fields of an answer, and what they must be. */
const TOP: Readonly<Record<string, Kind>> = {
  continue: 'read elsewhere',
  stopReason: 'a text',
  suppressOutput: 'true or false',
  systemMessage: 'a text',
  terminalSequence: 'a text',
  decision: 'read elsewhere',
  reason: 'a text',
  additionalContext: 'a text',
  async: 'true or false',
  asyncTimeout: 'a number',
  hookSpecificOutput: 'read elsewhere',
};

const SPECIFIC: Readonly<Record<string, Kind>> = {
  hookEventName: 'a text',
  additionalContext: 'a text',
  permissionDecision: 'read elsewhere',
  permissionDecisionReason: 'a text',
  updatedInput: 'read elsewhere',
  decision: 'read elsewhere',
  updatedToolOutput: 'read elsewhere',
  updatedMCPToolOutput: 'read elsewhere',
  classifierContext: 'read elsewhere',
  suppressOriginalPrompt: 'true or false',
  retry: 'true or false',
  initialUserMessage: 'a text',
  sessionTitle: 'a text',
  watchPaths: 'a list of texts',
  reloadSkills: 'true or false',
  displayContent: 'a text',
  worktreePath: 'a text',
  action: 'read elsewhere',
  content: 'an object',
};

const ALL: ReadonlyArray<string> = Object.keys({ ...TOP, ...SPECIFIC });

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  'a text': (value) => typeof value === 'string',
  'true or false': (value) => typeof value === 'boolean',
  'a list of texts': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'a number': (value) => typeof value === 'number',
  'an object': isRecord,
  'read elsewhere': () => true,
};

/** What an answer says in vain by its fields: one of another type, in the other place, or spelled almost right. */
export function vainFields(answer: Fields): ReadonlyArray<string> {
  const { hookSpecificOutput: given } = answer;
  const specific = isRecord(given) ? given : {};
  const names = Object.keys(answer);
  if (names.length > 0 && !names.some((name) => ALL.includes(name) || nearName(name, ALL) !== null))
    return [`its JSON has no effect: it has none of the fields of an answer, such as "decision"`];
  return [...vainIn(answer, TOP, SPECIFIC), ...vainIn(specific, SPECIFIC, TOP)];
}

/** Whether a decision about the call is said where nobody reads it. */
export function misplacedDecision(answer: Fields): string | null {
  const found = ['permissionDecision', 'updatedInput'].find((name) => (answer[name] ?? null) !== null);
  return found === undefined ? null : `"${found}" stands outside "hookSpecificOutput"`;
}

function vainIn(fields: Fields, known: Readonly<Record<string, Kind>>, other: typeof known): ReadonlyArray<string> {
  const place = known === TOP ? 'outside' : 'in';
  return Object.entries(fields).flatMap(([name, value]) => {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind !== undefined)
      return value === null || IS[kind](value)
        ? []
        : [`"${name}" is ${short(value)}, which has no effect: expected ${kind}`];
    if (Object.hasOwn(other, name)) return [`"${name}" has no effect ${place} "hookSpecificOutput"`];
    const meant = nearName(name, ALL);
    return meant === null ? [] : [`"${name}" has no effect: "${meant}" was meant?`];
  });
}

function short(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
