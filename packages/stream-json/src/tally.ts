import type { SessionEvent } from '@attractor/journal';
import { addUsage, costOf, NO_USAGE, type Usage } from '@attractor/llm';

/** The contents of the result line, counted event by event: `(tally, event) → tally`. */
export type Tally = {
  readonly turns: number;
  readonly text: string;
  readonly usage: Usage;
  readonly byModel: Readonly<Record<string, { readonly usage: Usage; readonly costUsd: number | null }>>;
  /** Null as soon as one answer has no known price. */
  readonly costUsd: number | null;
  readonly denials: ReadonlyArray<{
    readonly tool_name: string;
    readonly tool_use_id: string;
    readonly tool_input: unknown;
  }>;
  /** The last answer of the session itself. */
  readonly last: Pick<Extract<SessionEvent, { kind: 'ASSISTANT_MESSAGE' }>, 'content' | 'cutShort'> | null;
  readonly limit: 'max_turns' | 'max_tool_rounds' | null;
  readonly error: Error | null;
  /** Why the last input has no answer to speak of: the model said nothing, or its answer was ended by a filter. Null: it has. */
  readonly lack: string | null;
  /** A hook refused the last input, or stopped the work on it. */
  readonly isRefused: boolean;
  readonly asked: Readonly<Record<string, { readonly tool: string; readonly input: unknown }>>;
};

export const NOTHING: Tally = {
  turns: 0,
  text: '',
  usage: NO_USAGE,
  byModel: {},
  costUsd: 0,
  denials: [],
  last: null,
  limit: null,
  error: null,
  lack: null,
  isRefused: false,
  asked: {},
};

export function count(tally: Tally, event: SessionEvent): Tally {
  switch (event.kind) {
    case 'ASSISTANT_MESSAGE':
      return countAnswer(tally, event);
    case 'ANSWER_UNUSED':
      return countUsage(tally, event.model, event.usage);
    case 'COMPACTED':
      return countSummary(tally, event);
    case 'SUBAGENT_EVENT':
      return countChild(tally, event.event);
    case 'APPROVAL_REQUESTED':
      return { ...tally, asked: { ...tally.asked, [event.toolCallId]: { tool: event.toolName, input: event.args } } };
    case 'APPROVAL_ANSWERED':
      return countAnswered(tally, event);
    case 'PERMISSION_DENIED':
      return { ...tally, denials: [...tally.denials, denialOf(event)] };
    case 'TURN_LIMIT':
      return { ...tally, limit: event.reason };
    case 'USER_INPUT':
      return { ...tally, isRefused: false, limit: null, lack: null };
    case 'USER_INPUT_REFUSED':
      return { ...tally, isRefused: true, error: new Error(`A hook refused the input: ${event.reason}`) };
    case 'PROCESSING_END':
      return event.reason === 'hook_stopped' ? stoppedByHook(tally, event.message) : tally;
    case 'WARNING':
      return event.about === 'no_answer' ? { ...tally, lack: event.message } : tally;
    case 'ERROR':
      return { ...tally, error: event.error };
    default:
      return tally;
  }
}

function stoppedByHook(tally: Tally, reason = ''): Tally {
  return { ...tally, isRefused: true, error: new Error(`A hook stopped the work: ${reason}`) };
}

/** Answered requests are dropped, so the tally of a long run stays small. */
function countAnswered(tally: Tally, event: Extract<SessionEvent, { kind: 'APPROVAL_ANSWERED' }>): Tally {
  const { [event.toolCallId]: _answered, ...asked } = tally.asked;
  return event.allowed
    ? { ...tally, asked }
    : { ...tally, asked, denials: [...tally.denials, denial(tally, event.toolCallId)] };
}

/** A child's answers cost money too, but its turns and texts are its own. */
function countChild(tally: Tally, event: SessionEvent): Tally {
  if (event.kind === 'SUBAGENT_EVENT') return countChild(tally, event.event);
  if (OF_CALLS.has(event.kind)) return count(tally, event);
  if (event.kind === 'COMPACTED') return countSummary(tally, event);
  if (event.kind === 'ANSWER_UNUSED') return countUsage(tally, event.model, event.usage);
  if (event.kind !== 'ASSISTANT_MESSAGE') return tally;
  return { ...countAnswer(tally, event), turns: tally.turns, text: tally.text, last: tally.last, lack: tally.lack };
}

/** What became of a call that was asked about, whoever made it. */
const OF_CALLS: ReadonlySet<SessionEvent['kind']> = new Set<SessionEvent['kind']>([
  'PERMISSION_DENIED',
  'APPROVAL_REQUESTED',
  'APPROVAL_ANSWERED',
]);

function countAnswer(tally: Tally, event: Extract<SessionEvent, { kind: 'ASSISTANT_MESSAGE' }>): Tally {
  const text = event.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
  return {
    ...countUsage(tally, event.model, event.usage),
    turns: tally.turns + 1,
    text: text === '' ? tally.text : text,
    last: event,
    lack: null,
  };
}

/** A summary is no turn, but was paid for; one without a model cost nothing. */
function countSummary(tally: Tally, { model, usage }: Extract<SessionEvent, { kind: 'COMPACTED' }>): Tally {
  return model === undefined || usage === undefined ? tally : countUsage(tally, model, usage);
}

/** What was paid for beside the conversation counts too. */
export function countUsage(tally: Tally, model: string, usage: Usage): Tally {
  const cost = costOf(model, usage);
  const before = tally.byModel[model] ?? { usage: NO_USAGE, costUsd: 0 };
  return {
    ...tally,
    usage: addUsage(tally.usage, usage),
    byModel: {
      ...tally.byModel,
      [model]: { usage: addUsage(before.usage, usage), costUsd: sum(before.costUsd, cost) },
    },
    costUsd: sum(tally.costUsd, cost),
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function denialOf(event: Extract<SessionEvent, { kind: 'PERMISSION_DENIED' }>): Tally['denials'][number] {
  return { tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.args };
}

function denial(tally: Tally, toolCallId: string): Tally['denials'][number] {
  const asked = tally.asked[toolCallId];
  return { tool_name: asked?.tool ?? 'unknown', tool_use_id: toolCallId, tool_input: asked?.input ?? {} };
}
