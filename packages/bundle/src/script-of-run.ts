import { done, isRecord } from '@attractor/base';
import { type AssistantMessageEvent, eventOf, type JournalRecord, type SessionEvent } from '@attractor/journal';
import { holdsMask } from '@attractor/redact';
import { refuse, type Result } from '@attractor/store';

/** The records of a run's journals by their names, its own being `session`. */
export type Journals = ReadonlyMap<string, ReadonlyArray<JournalRecord>>;

export type ScriptedRun = {
  /** For the scripted model: what the model said, turn by turn. */
  readonly script: { readonly conversations: ReadonlyArray<ScriptedConversation> };
  /** The calls that were not allowed, with what the model was told. All others ran. */
  readonly refused: ReadonlyMap<string, string>;
  /** Something that the model said was masked: what is done with it can't be the same. */
  readonly hasMasks: boolean;
};

type ScriptedConversation = {
  readonly name: string;
  readonly match?: { readonly firstUser: { readonly contains: string } };
  readonly capture: Readonly<Record<string, unknown>>;
  readonly turns: ReadonlyArray<unknown>;
};

const OWN = 'session';
const FOLDER = 'attractor_worktree';

/**
 * What a model said in a run, as a script. The worktree of the new run takes the place of the old one. A conversation that was compacted,
 * or in which a person was asked, depends on more than what the model said: it can't be had again.
 */
export function scriptOfRun(journals: Journals, worktree: string | null): Result<ScriptedRun> {
  const events = new Map([...journals].map(([name, records]) => [name, records.flatMap(eventsOf)] as const));
  const own = events.get(OWN) ?? [];
  if (!own.some(({ kind }) => kind === 'ASSISTANT_MESSAGE'))
    return refuse('invalid', 'The file has nothing that a model said: there is nothing to run again.');
  const all = [...events.values()].flat();
  const obstacle = all.flatMap(obstacleOf)[0];
  if (obstacle !== undefined) return refuse('invalid', obstacle);
  const others = [...events].filter(([name]) => name !== OWN);
  const conversations = [...others, [OWN, own] as const].map(([name, said]) => conversationOf(name, said, worktree));
  return done({
    script: { conversations },
    refused: refusedCalls(all),
    hasMasks: holdsMask(JSON.stringify(conversations)),
  });
}

function eventsOf(record: JournalRecord): ReadonlyArray<SessionEvent> {
  const event = eventOf(record);
  return event === null ? [] : [event];
}

const OBSTACLES: Readonly<Partial<Record<SessionEvent['kind'], string>>> = {
  COMPACTED: 'The conversation was compacted in between: what the model was asked then is not in the file.',
  QUESTION_ASKED: 'A person was asked in between, and would have to be asked again.',
};

function obstacleOf({ kind }: SessionEvent): ReadonlyArray<string> {
  const why = OBSTACLES[kind];
  return why === undefined ? [] : [`This run can't be run again. ${why}`];
}

function conversationOf(
  name: string,
  events: ReadonlyArray<SessionEvent>,
  worktree: string | null,
): ScriptedConversation {
  const input = events.find(({ kind }) => kind === 'USER_INPUT');
  const turns = events.flatMap((event) => (event.kind === 'ASSISTANT_MESSAGE' ? [turnOf(event)] : []));
  const first = name === OWN || input?.kind !== 'USER_INPUT' ? null : recognisable(input.content, worktree);
  return {
    name,
    ...(first === null ? {} : { match: { firstUser: { contains: first } } }),
    capture: { [FOLDER]: { from: 'system', regex: 'Working directory: ([^\\n]+)' } },
    turns: worktree === null ? turns : elsewhere(turns, worktree),
  };
}

/** The longest line of a subagent's input that is the same in another folder. */
function recognisable(input: string, worktree: string | null): string {
  const lines = input.split('\n').filter((line) => worktree === null || !line.includes(worktree));
  return lines.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

function turnOf({ content, usage, cutShort }: AssistantMessageEvent): Readonly<Record<string, unknown>> {
  const text = content.flatMap((part) => (part.kind === 'TEXT' ? [part.text] : [])).join('');
  const thinking = content.flatMap((part) => (part.kind === 'THINKING' ? [part.text] : [])).join('');
  const toolCalls = content.flatMap((part) => {
    if (part.kind !== 'TOOL_CALL') return [];
    const args = part.rawArgs === undefined ? { args: part.args } : { argsText: part.rawArgs };
    return [{ name: part.toolName, id: part.toolCallId, ...args }];
  });
  return {
    ...(text === '' ? {} : { text }),
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    usage: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cacheRead: usage.cacheReadTokens ?? 0,
      cacheWrite: usage.cacheWriteTokens ?? 0,
      reasoning: usage.reasoningTokens ?? 0,
    },
    ...(cutShort === undefined ? {} : { finish: cutShort }),
  };
}

function elsewhere<Value>(value: Value, worktree: string): Value;
function elsewhere(value: unknown, worktree: string): unknown {
  if (typeof value === 'string') return value.replaceAll(worktree, `{{${FOLDER}}}`);
  if (Array.isArray(value)) return value.map((item: unknown) => elsewhere(item, worktree));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, elsewhere(item, worktree)]));
}

function refusedCalls(events: ReadonlyArray<SessionEvent>): ReadonlyMap<string, string> {
  const refused = new Map<string, string>();
  for (const event of events) {
    if (event.kind === 'PERMISSION_DENIED') refused.set(event.toolCallId, event.reason);
    if (event.kind === 'APPROVAL_ANSWERED' && !event.allowed) refused.set(event.toolCallId, event.reason ?? '');
  }
  return refused;
}
