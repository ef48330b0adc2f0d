import type { SessionEvent } from '@attractor/agent';
import { addUsage, costOf, NO_USAGE, type Usage } from '@attractor/llm';

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
};

export const NO_TALLY: Tally = {
  usage: NO_USAGE,
  contextTokens: 0,
  cost: 0,
  answers: 0,
  written: 0,
  byModel: new Map(),
};

export function tallied(tally: Tally, event: SessionEvent): Tally {
  if (event.kind === 'USER_INPUT') return { ...tally, written: 0 };
  if (event.kind === 'ASSISTANT_MESSAGE') {
    const next = added(tally, event.model, event.usage);
    return { ...next, answers: tally.answers + 1, contextTokens: event.usage.inputTokens + event.usage.outputTokens };
  }
  if ((event.kind === 'SUBAGENT_END' || event.kind === 'COMPACTED') && event.usage !== undefined) {
    const next = added(tally, event.model ?? 'unknown', event.usage);
    return event.kind === 'COMPACTED' ? { ...next, contextTokens: event.tokensAfter } : next;
  }
  return event.kind === 'COMPACTED' ? { ...tally, contextTokens: event.tokensAfter } : tally;
}

function added(tally: Tally, model: string, usage: Usage): Tally {
  const cost = costOf(model, usage);
  const byModel = new Map(tally.byModel).set(model, addUsage(tally.byModel.get(model) ?? NO_USAGE, usage));
  const sum = cost === null || tally.cost === null ? null : tally.cost + cost;
  const written = tally.written + usage.outputTokens;
  return { ...tally, usage: addUsage(tally.usage, usage), cost: sum, written, byModel };
}
