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

/** Where the run was, and how often a person said something to its agent that became an input of its own. */
type Recorded = { readonly worktree: string | null; readonly spoken: number };

/**
 * What a model said in a run, as a script. The worktree of the new run takes the place of the old one, and what people answered is part of
 * what the model says. A conversation that was compacted depends on more: it can't be had again.
 */
export function scriptOfRun(journals: Journals, { worktree, spoken }: Recorded): Result<ScriptedRun> {
  const events = new Map([...journals].map(([name, records]) => [name, records.flatMap(eventsOf)] as const));
  const own = events.get(OWN) ?? [];
  if (!own.some(({ kind }) => kind === SAID))
    return refuse('invalid', 'The file has nothing that a model said: there is nothing to run again.');
  const all = [...events.values()].flat();
  const obstacle = all.flatMap(obstacleOf)[0];
  if (obstacle !== undefined) return refuse('invalid', obstacle);
  const others = [...events].filter(([name]) => name !== OWN);
  const led = leadingOn(own, spoken);
  const conversations = [...others, [OWN, led] as const].map(([name, said]) => conversationOf(name, said, worktree));
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
};

function obstacleOf({ kind }: SessionEvent): ReadonlyArray<string> {
  const why = OBSTACLES[kind];
  return why === undefined ? [] : [`This run can't be run again. ${why}`];
}

/**
 * The person's words came after the agent's turn had ended, or ended it, and are not said again: what ended such a turn is left out, so
 * that the turn goes on with what the model said next. Inputs after those are of the run itself, which gives them again.
 */
function leadingOn(events: ReadonlyArray<SessionEvent>, spoken: number): ReadonlyArray<SessionEvent> {
  const inputs = events.flatMap(({ kind }, at) => (kind === 'USER_INPUT' ? [at] : [])).slice(1, spoken + 1);
  const ends = new Map(inputs.map((at) => [events.slice(0, at).findLastIndex(({ kind }) => kind === SAID), at]));
  return events.flatMap((event, at) => {
    const input = ends.get(at);
    return input === undefined || event.kind !== SAID ? [event] : keptOf(event, events.slice(at, input));
  });
}

const SAID = 'ASSISTANT_MESSAGE';

/** Calls that the person cut off are not made again, and what is left without a call would end the turn. */
function keptOf(said: AssistantMessageEvent, followed: ReadonlyArray<SessionEvent>): ReadonlyArray<SessionEvent> {
  const isCut = followed.some((event) => event.kind === 'SESSION_END' && event.reason === 'aborted');
  const ended = new Set(
    followed.flatMap((event) => (event.kind === 'TOOL_CALL_END' && !event.isError ? [event.toolCallId] : [])),
  );
  const content = said.content.filter((part) => part.kind !== 'TOOL_CALL' || !isCut || ended.has(part.toolCallId));
  return content.some(({ kind }) => kind === 'TOOL_CALL') ? [{ ...said, content }] : [];
}

type Args = Readonly<Record<string, unknown>>;

/** What people put in the place of a call's arguments, by the call. */
function editedCalls(events: ReadonlyArray<SessionEvent>): ReadonlyMap<string, Args> {
  const edited = new Map<string, Args>();
  for (const event of events)
    if (event.kind === 'APPROVAL_ANSWERED' && event.args !== undefined) edited.set(event.toolCallId, event.args);
  return edited;
}

function conversationOf(
  name: string,
  events: ReadonlyArray<SessionEvent>,
  worktree: string | null,
): ScriptedConversation {
  const input = events.find(({ kind }) => kind === 'USER_INPUT');
  const edited = editedCalls(events);
  const turns = events.flatMap((event) => (event.kind === SAID ? [turnOf(event, edited)] : []));
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

function turnOf({ content, usage, cutShort }: AssistantMessageEvent, edited: ReadonlyMap<string, Args>): Args {
  const text = content.flatMap((part) => (part.kind === 'TEXT' ? [part.text] : [])).join('');
  const thinking = content.flatMap((part) => (part.kind === 'THINKING' ? [part.text] : [])).join('');
  const toolCalls = content.flatMap((part) => {
    if (part.kind !== 'TOOL_CALL') return [];
    const own = part.rawArgs === undefined ? { args: part.args } : { argsText: part.rawArgs };
    const put = edited.get(part.toolCallId);
    return [{ name: part.toolName, id: part.toolCallId, ...(put === undefined ? own : { args: put }) }];
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
