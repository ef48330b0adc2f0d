import { defined } from '@attractor/base';
import { addUsage, NO_USAGE, type ContentPart, type ToolCallPart, type Usage } from '@attractor/llm';
import { withCompaction, type Compaction } from './compacted.ts';
import { defineOutputOnce, lateOutputOf } from '@attractor/journal';
import { truncateToolOutput, type TruncationConfig } from '../truncation/index.ts';
import type {
  Answers,
  AssistantMessageEvent,
  ConfiguredFields,
  HookDecision,
  InputParts,
  Question,
  SessionEvent,
  SessionInput,
  Subagent,
  ToolCallEndEvent,
  ToolResultEntry,
  Turn,
} from '../types/index.ts';

/**
 * The state that a session's events add up to. A live session and a resumed one fold the same events with the same code, so they hold the
 * same history and send the same bytes.
 */
export type SessionView = {
  readonly sessionId: string | null;
  readonly systemPrompt: string | null;
  readonly turns: ReadonlyArray<Turn>;
  /** The calls of the last model turn, until each has its result; then they become a turn. */
  readonly round: ToolRound | null;
  /** How many turns were set aside while folding a long journal; 0 in every whole view. */
  readonly turnsBefore: number;
  /** What the model is sent in place of older turns. */
  readonly compaction: Compaction | null;
  /** The session command that is being carried out. */
  readonly command: SessionCommand | null;
  /** An input was accepted and is not finished. */
  readonly inputOpen: boolean;
  readonly roundsOfInput: number;
  readonly modelTurns: number;
  readonly usage: Usage;
  readonly lastUsage: Usage | null;
  readonly steering: ReadonlyArray<string>;
  readonly followUps: ReadonlyArray<QueuedInput>;
  /** Calls that wait for a person's approval or answers. */
  readonly waiting: ReadonlyArray<string>;
  readonly questions: ReadonlyArray<OpenQuestion>;
  /** By call: a person's answers, until the model has them. */
  readonly answers: Readonly<Record<string, Answers>>;
  /** By call: whether a person approved it, until it has its result. */
  readonly approvals: Readonly<Record<string, GivenApproval>>;
  /** By call: what hooks decided, until it has its result. */
  readonly decided: Readonly<Record<string, HookDecision>>;
  /** What `configure` changed since the start. */
  readonly configured: ConfiguredFields;
  /** How many calls the model made, by tool. */
  readonly callCounts: Readonly<Record<string, number>>;
  readonly subagents: ReadonlyArray<Subagent>;
  /** The number of turns when a loop was last reported; older calls are not counted again. */
  readonly loopSeenAt: number;
  /** Where commands start, relative to the root. */
  readonly workingDir: string;
};

/** Older journals record only that there was an answer; such a call is asked about again. */
export type GivenApproval = {
  readonly allowed: boolean;
  readonly reason: string;
  readonly contentHash: string;
  readonly args: Readonly<Record<string, unknown>> | null;
};

export type ToolRound = {
  readonly calls: ReadonlyArray<ToolCallPart>;
  readonly started: ReadonlyArray<string>;
  readonly results: ReadonlyArray<ToolResultEntry>;
};

export type SessionCommand = Pick<Extract<SessionEvent, { kind: 'COMMAND_INPUT' }>, 'name' | 'text'>;

export type QueuedInput = {
  readonly content: string;
  readonly parts?: InputParts;
  readonly todo?: ReadonlyArray<string>;
};

export type OpenQuestion = { readonly toolCallId: string; readonly questions: ReadonlyArray<Question> };

/** A session before its first event. */
export const EMPTY_VIEW: SessionView = {
  sessionId: null,
  systemPrompt: null,
  turns: [],
  round: null,
  turnsBefore: 0,
  compaction: null,
  command: null,
  inputOpen: false,
  roundsOfInput: 0,
  modelTurns: 0,
  usage: NO_USAGE,
  lastUsage: null,
  steering: [],
  followUps: [],
  waiting: [],
  questions: [],
  answers: {},
  approvals: {},
  decided: {},
  configured: {},
  callCounts: {},
  subagents: [],
  loopSeenAt: 0,
  workingDir: '.',
};

/** `(view, event) → view`. Events that change nothing return the same view. */
export function advance(view: SessionView, event: SessionEvent, limits: TruncationConfig): SessionView {
  switch (event.kind) {
    case 'SESSION_START':
      return { ...view, sessionId: event.sessionId };
    case 'SYSTEM_PROMPT':
      return { ...view, systemPrompt: event.content };
    case 'ASSISTANT_MESSAGE':
      return withReply(view, event);
    case 'ANSWER_UNUSED':
      return { ...view, usage: addUsage(view.usage, event.usage) };
    case 'TOOL_CALL_START':
      return view.round === null
        ? view
        : { ...view, round: { ...view.round, started: [...view.round.started, event.toolCallId] } };
    case 'TOOL_CALL_END':
      return withResult(undecided(moved(settled(view, event.toolCallId), event), event.toolCallId), event, limits);
    case 'LOOP_DETECTION':
      return { ...view, loopSeenAt: view.turns.length };
    case 'CONFIGURED':
      return withConfiguration(view, event);
    case 'PROCESSING_END':
      return event.reason === 'interrupted' ? stoppedByPerson(view) : { ...view, inputOpen: false, command: null };
    case 'COMPACTED':
      return withCompaction(view, event);
    case 'SESSION_END':
      return event.reason === 'aborted' ? stoppedByPerson(view) : view;
    default:
      return withSubagents(withPeople(view, event), event);
  }
}

function stoppedByPerson(view: SessionView): SessionView {
  return { ...view, inputOpen: false, command: null, steering: [], followUps: [], questions: [], waiting: [] };
}

/** What people say, and what they are asked. */
function withPeople(view: SessionView, event: SessionEvent): SessionView {
  switch (event.kind) {
    case 'USER_INPUT':
      return {
        ...withTurn(view, { kind: 'user', ...inputOf(event) }),
        followUps: event.isFollowUp === true ? view.followUps.slice(1) : view.followUps,
        inputOpen: true,
        roundsOfInput: 0,
      };
    case 'USER_INPUT_REFUSED':
      return event.isFollowUp === true ? { ...view, followUps: view.followUps.slice(1) } : view;
    case 'HOOK_DECIDED': {
      const { kind: _kind, toolCallId, ...decision } = event;
      return { ...view, decided: { ...view.decided, [toolCallId]: decision } };
    }
    case 'COMMAND_INPUT':
      return {
        ...view,
        command: { name: event.name, text: event.text },
        followUps: event.isFollowUp === true ? view.followUps.slice(1) : view.followUps,
        inputOpen: true,
      };
    case 'FOLLOW_UP_QUEUED':
      return { ...view, followUps: [...view.followUps, inputOf(event)] };
    case 'STEERING_QUEUED':
      return { ...view, steering: [...view.steering, event.content] };
    case 'STEERING_INJECTED':
      return {
        ...withTurn(view, steeringOf(event)),
        steering: event.source === undefined ? view.steering.slice(1) : view.steering,
      };
    case 'APPROVAL_REQUESTED':
      return { ...view, waiting: [...without(view.waiting, event.toolCallId), event.toolCallId] };
    case 'APPROVAL_ANSWERED':
      return withApproval({ ...view, waiting: without(view.waiting, event.toolCallId) }, event);
    case 'QUESTION_ASKED':
      return {
        ...view,
        waiting: [...without(view.waiting, event.toolCallId), event.toolCallId],
        questions: [
          ...view.questions.filter(({ toolCallId }) => toolCallId !== event.toolCallId),
          { toolCallId: event.toolCallId, questions: event.questions },
        ],
      };
    case 'QUESTION_ANSWERED': {
      const answered = settled(view, event.toolCallId);
      return { ...answered, answers: { ...answered.answers, [event.toolCallId]: event.answers } };
    }
    default:
      return view;
  }
}

function steeringOf({ content, source }: Extract<SessionEvent, { kind: 'STEERING_INJECTED' }>): Turn {
  return { kind: 'steering', content, ...defined({ source }) };
}

function withApproval(
  view: SessionView,
  { toolCallId, allowed, reason = '', contentHash, args }: Extract<SessionEvent, { kind: 'APPROVAL_ANSWERED' }>,
): SessionView {
  if (contentHash === undefined) return view;
  const given = { allowed, reason, contentHash, args: args ?? null };
  return { ...view, approvals: { ...view.approvals, [toolCallId]: given } };
}

function withSubagents(view: SessionView, event: SessionEvent): SessionView {
  if (event.kind === 'SUBAGENT_START') {
    const { kind: _kind, subagentId: id, ...order } = event;
    const child: Subagent = { id, ...order, status: 'running' };
    return { ...view, subagents: [...view.subagents.filter((one) => one.id !== id), child] };
  }
  if (event.kind !== 'SUBAGENT_END') return view;
  const { subagentId, status, result, usage = NO_USAGE } = event;
  const subagents = view.subagents.map((one) => (one.id === subagentId ? { ...one, status, result } : one));
  return { ...view, subagents, usage: addUsage(view.usage, usage) };
}

/** A changed model or profile needs a new system text; a changed effort does not. */
function withConfiguration(
  view: SessionView,
  { kind: _kind, ...fields }: Extract<SessionEvent, { kind: 'CONFIGURED' }>,
): SessionView {
  const keepsPrompt = fields.model === undefined && fields.profile === undefined;
  return {
    ...view,
    configured: { ...view.configured, ...fields },
    systemPrompt: keepsPrompt ? view.systemPrompt : null,
  };
}

/** Whether a part of an answer is a tool call. */
export function isToolCall(part: ContentPart): part is ToolCallPart {
  return part.kind === 'TOOL_CALL';
}

/** The calls of the open round that have no result yet. */
export function openCalls({ round }: SessionView): ReadonlyArray<ToolCallPart> {
  if (round === null) return [];
  return round.calls.filter((call) => !round.results.some((result) => result.toolCallId === call.toolCallId));
}

function withReply(view: SessionView, event: AssistantMessageEvent): SessionView {
  const calls = event.content.filter(isToolCall);
  return {
    ...withTurn(view, { kind: 'assistant', content: event.content }),
    round: calls.length === 0 ? null : { calls, started: [], results: [] },
    modelTurns: view.modelTurns + 1,
    callCounts: calls.reduce((counts, { toolName }) => {
      const before = Object.hasOwn(counts, toolName) ? (counts[toolName] ?? 0) : 0;
      return { ...counts, [toolName]: before + 1 };
    }, view.callCounts),
    usage: addUsage(view.usage, event.usage),
    lastUsage: event.usage,
  };
}

function withResult(view: SessionView, event: ToolCallEndEvent, limits: TruncationConfig): SessionView {
  const { round } = view;
  if (round === null) return view;
  const results = [...round.results, resultOf(event, limits)];
  if (results.length < round.calls.length) return { ...view, round: { ...round, results } };
  return {
    ...withTurn(view, { kind: 'tool_results', results: inOrderOf(round.calls, results) }),
    round: null,
    roundsOfInput: view.roundsOfInput + 1,
  };
}

function inOrderOf(
  calls: ReadonlyArray<ToolCallPart>,
  results: ReadonlyArray<ToolResultEntry>,
): ReadonlyArray<ToolResultEntry> {
  if (calls.length === 1 && results.length === 1 && calls[0]?.toolCallId === results[0]?.toolCallId) return results;
  return calls.flatMap(({ toolCallId }) => results.filter((result) => result.toolCallId === toolCallId));
}

/** The result as the model sees it. A result that is still in the journal's file is read on first use. */
function resultOf(event: ToolCallEndEvent, limits: TruncationConfig): ToolResultEntry {
  const { toolCallId, toolName, isError } = event;
  const images = defined({ images: event.images });
  const late = lateOutputOf(event);
  if (late === null)
    return { toolCallId, output: truncateToolOutput(event.output, toolName, limits), isError, ...images };
  const result = { toolCallId };
  defineOutputOnce(result, () => truncateToolOutput(late(), toolName, limits));
  return Object.assign(result, { isError, ...images });
}

function moved(view: SessionView, { workingDir }: ToolCallEndEvent): SessionView {
  return typeof workingDir === 'string' ? { ...view, workingDir } : view;
}

function undecided(view: SessionView, id: string): SessionView {
  if (!Object.hasOwn(view.decided, id)) return view;
  const { [id]: _over, ...decided } = view.decided;
  return { ...view, decided };
}

/** The call no longer waits for anybody. */
function settled(view: SessionView, id: string): SessionView {
  const isKnown = view.waiting.includes(id) || Object.hasOwn(view.answers, id) || Object.hasOwn(view.approvals, id);
  if (!isKnown) return view;
  const { [id]: _answered, ...answers } = view.answers;
  const { [id]: _approved, ...approvals } = view.approvals;
  return {
    ...view,
    approvals,
    waiting: without(view.waiting, id),
    questions: view.questions.filter(({ toolCallId }) => toolCallId !== id),
    answers,
  };
}

function without(ids: ReadonlyArray<string>, id: string): ReadonlyArray<string> {
  return ids.filter((one) => one !== id);
}

/** An input as it is queued: its words, and all of its parts if it is more than words. */
export function queuedInput(input: SessionInput): QueuedInput {
  if (typeof input === 'string') return { content: input };
  return { content: input.map((part) => (part.kind === 'TEXT' ? part.text : '')).join(''), parts: input };
}

function inputOf({ content, parts, todo }: QueuedInput): QueuedInput {
  return { content, ...defined({ parts, todo }) };
}

function withTurn(view: SessionView, turn: Turn): SessionView {
  return { ...view, turns: [...view.turns, turn] };
}
