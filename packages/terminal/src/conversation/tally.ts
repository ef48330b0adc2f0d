import type { SessionEvent } from '@attractor/agent';
import { addUsage, costOf, NO_USAGE, type Usage } from '@attractor/llm';
import { changeOf, diffCount } from '@attractor/tool-table';

/** What a conversation used: tokens of all answers, the size of the last request, and the cost if every price is known. */
export type Tally = {
  readonly usage: Usage;
  /** How full the model's window was with the last request. */
  readonly contextTokens: number;
  readonly cost: number | null;
  readonly answers: number;
  /** Tokens that the model wrote since the last input. */
  readonly written: number;
  readonly byModel: ReadonlyMap<string, Usage>;
  /** Of the last request; null: none was made. */
  readonly last: Usage | null;
  /** When that was answered, in milliseconds; 0: never. */
  readonly answeredAt: number;
  /** Lines of files that calls put in and took out. */
  readonly lines: Lines;
  /** The same of calls that are not done, by their ids. */
  readonly asked: ReadonlyMap<string, Lines>;
  /** What a hook called the conversation; null: nothing. */
  readonly title: string | null;
};

type Lines = ReturnType<typeof diffCount>;

export const NO_TALLY: Tally = {
  usage: NO_USAGE,
  contextTokens: 0,
  cost: 0,
  answers: 0,
  written: 0,
  byModel: new Map(),
  last: null,
  answeredAt: 0,
  lines: { added: 0, removed: 0 },
  asked: new Map(),
  title: null,
};

export function tallied(tally: Tally, event: SessionEvent): Tally {
  if (event.kind === 'TOOL_CALL_START' || event.kind === 'TOOL_CALL_END') return withLines(tally, event);
  if (event.kind === 'CONFIGURED' && event.title !== undefined) return { ...tally, title: event.title };
  if (event.kind === 'USER_INPUT') return { ...tally, written: 0 };
  if (event.kind === 'ASSISTANT_MESSAGE') {
    const next = added(tally, event.model, event.usage);
    const contextTokens = event.usage.inputTokens + event.usage.outputTokens;
    return { ...next, answers: tally.answers + 1, contextTokens, last: event.usage, answeredAt: Date.now() };
  }
  if (event.kind === 'ANSWER_UNUSED') return added(tally, event.model, event.usage);
  if ((event.kind === 'SUBAGENT_END' || event.kind === 'COMPACTED') && event.usage !== undefined) {
    const next = added(tally, event.model ?? 'unknown', event.usage);
    return event.kind === 'COMPACTED' ? { ...next, contextTokens: event.tokensAfter } : next;
  }
  return event.kind === 'COMPACTED' ? { ...tally, contextTokens: event.tokensAfter } : tally;
}

/** A call that failed has changed nothing. */
function withLines(tally: Tally, event: Extract<SessionEvent, { kind: 'TOOL_CALL_START' | 'TOOL_CALL_END' }>): Tally {
  const asked = new Map(tally.asked);
  if (event.kind === 'TOOL_CALL_START') {
    const change = changeOf(event.toolName, event.args);
    return change === null ? tally : { ...tally, asked: asked.set(event.toolCallId, diffCount(change)) };
  }
  const done = tally.asked.get(event.toolCallId);
  if (done === undefined) return tally;
  asked.delete(event.toolCallId);
  if (event.isError) return { ...tally, asked };
  const { added, removed } = tally.lines;
  return { ...tally, asked, lines: { added: added + done.added, removed: removed + done.removed } };
}

function added(tally: Tally, model: string, usage: Usage): Tally {
  const cost = costOf(model, usage);
  const byModel = new Map(tally.byModel).set(model, addUsage(tally.byModel.get(model) ?? NO_USAGE, usage));
  const sum = cost === null || tally.cost === null ? null : tally.cost + cost;
  const written = tally.written + usage.outputTokens;
  return { ...tally, usage: addUsage(tally.usage, usage), cost: sum, written, byModel };
}
