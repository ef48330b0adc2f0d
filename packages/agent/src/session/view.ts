import { addUsage, NO_USAGE, type ContentPart, type ToolCallPart, type Usage } from '@attractor/llm';
import { truncateToolOutput, type TruncationConfig } from '../truncation/index.ts';
import type { AssistantMessageEvent, SessionEvent, ToolCallEndEvent, ToolResultEntry, Turn } from '../types/index.ts';

/**
 * What the events of a session add up to. A live session and a resumed one fold the same events with the same code,
 * so they hold the same history and send the same bytes.
 */
export type SessionView = {
  readonly sessionId: string | null;
  readonly systemPrompt: string | null;
  readonly turns: ReadonlyArray<Turn>;
  /** The calls of the last model turn, until each has its result; then they become a turn. */
  readonly round: ToolRound | null;
  /** An input was taken and is not finished. */
  readonly inputOpen: boolean;
  readonly roundsOfInput: number;
  readonly modelTurns: number;
  readonly usage: Usage;
  readonly lastUsage: Usage | null;
  readonly steering: ReadonlyArray<string>;
  readonly followUps: ReadonlyArray<string>;
  /** How many turns there were when a loop was last reported: older calls are not counted again. */
  readonly loopSeenAt: number;
};

export type ToolRound = {
  readonly calls: ReadonlyArray<ToolCallPart>;
  readonly started: ReadonlyArray<string>;
  readonly results: ReadonlyArray<ToolResultEntry>;
};

export const EMPTY_VIEW: SessionView = {
  sessionId: null,
  systemPrompt: null,
  turns: [],
  round: null,
  inputOpen: false,
  roundsOfInput: 0,
  modelTurns: 0,
  usage: NO_USAGE,
  lastUsage: null,
  steering: [],
  followUps: [],
  loopSeenAt: 0,
};

/** `(view, event) → view`. Events that change nothing give the same view back. */
export function advance(view: SessionView, event: SessionEvent, limits: TruncationConfig): SessionView {
  switch (event.kind) {
    case 'SESSION_START':
      return { ...view, sessionId: event.sessionId };
    case 'SYSTEM_PROMPT':
      return { ...view, systemPrompt: event.content };
    case 'USER_INPUT':
      return {
        ...withTurn(view, { kind: 'user', content: event.content }),
        followUps: event.isFollowUp === true ? view.followUps.slice(1) : view.followUps,
        inputOpen: true,
        roundsOfInput: 0,
      };
    case 'FOLLOW_UP_QUEUED':
      return { ...view, followUps: [...view.followUps, event.content] };
    case 'STEERING_QUEUED':
      return { ...view, steering: [...view.steering, event.content] };
    case 'STEERING_INJECTED':
      return {
        ...withTurn(view, { kind: 'steering', content: event.content }),
        steering: event.source === undefined ? view.steering.slice(1) : view.steering,
      };
    case 'ASSISTANT_MESSAGE':
      return withReply(view, event);
    case 'TOOL_CALL_START':
      return view.round === null
        ? view
        : { ...view, round: { ...view.round, started: [...view.round.started, event.toolCallId] } };
    case 'TOOL_CALL_END':
      return withResult(view, event, limits);
    case 'LOOP_DETECTION':
      return { ...view, loopSeenAt: view.turns.length };
    case 'PROCESSING_END':
      return { ...view, inputOpen: false };
    case 'SESSION_END':
      return event.reason === 'aborted' ? { ...view, inputOpen: false, steering: [], followUps: [] } : view;
    default:
      return view;
  }
}

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
    usage: addUsage(view.usage, event.usage),
    lastUsage: event.usage,
  };
}

function withResult(view: SessionView, event: ToolCallEndEvent, limits: TruncationConfig): SessionView {
  const { round } = view;
  if (round === null) return view;
  const output = truncateToolOutput(event.output, event.toolName, limits);
  const results = [...round.results, { toolCallId: event.toolCallId, output, isError: event.isError }];
  if (results.length < round.calls.length) return { ...view, round: { ...round, results } };
  const ordered = round.calls.flatMap(({ toolCallId }) => results.filter((result) => result.toolCallId === toolCallId));
  return {
    ...withTurn(view, { kind: 'tool_results', results: ordered }),
    round: null,
    roundsOfInput: view.roundsOfInput + 1,
  };
}

function withTurn(view: SessionView, turn: Turn): SessionView {
  return { ...view, turns: [...view.turns, turn] };
}
