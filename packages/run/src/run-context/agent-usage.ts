import type { AgentMessage, AgentRunResult, TokenUsage } from '@attractor/adapters';
import { costOf } from '@attractor/llm';
import { toNano, toUsd } from '@attractor/analytics';
import { addAmounts, addUsage, listRunUsage, NOTHING, type Tx, type UsedAmount } from '@attractor/store';

type UsageMessage = Extract<AgentMessage, { kind: 'usage' }>;

/** What one answer used. The agent's own cost counts, otherwise the price list; an unknown price is not guessed. */
export function amountOfMessage({ model, usage, costUsd }: UsageMessage): UsedAmount & { readonly model: string } {
  const cost = costUsd ?? costOf(model, usage);
  return {
    model,
    calls: 1,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    costNano: cost === null ? 0 : toNano(cost),
    unpricedCalls: cost === null ? 1 : 0,
  };
}

/**
 * The usage of the whole run as stored, every message counted once. Usage that an agent only reports at its end is added here: the
 * difference between its own sum and ours.
 */
export async function settleUsage(
  tx: Tx,
  run: { readonly id: string; readonly model: string },
  { tokenUsage }: AgentRunResult,
): Promise<TokenUsage> {
  const counted = await sumOf(tx, run.id);
  const untold = difference(tokenUsage, counted) ?? silence(tokenUsage, counted);
  if (untold === null) return toTokenUsage(counted);
  await addUsage(tx, run.id, { model: run.model, ...untold });
  return toTokenUsage(addAmounts(counted, untold));
}

async function sumOf(tx: Tx, runId: string): Promise<UsedAmount> {
  return (await listRunUsage(tx, runId)).reduce<UsedAmount>(addAmounts, NOTHING);
}

/** An agent that told nothing at all has used something that nobody knows: that is not nothing. */
function silence({ totalCost }: TokenUsage, counted: UsedAmount): UsedAmount | null {
  return totalCost === null && counted.calls === 0 ? { ...NOTHING, calls: 1, unpricedCalls: 1 } : null;
}

function difference(told: TokenUsage, counted: UsedAmount): UsedAmount | null {
  const more = (all: number | undefined, known: number): number => Math.max(0, (all ?? 0) - known);
  const inputTokens = more(told.inputTokens, counted.inputTokens);
  const outputTokens = more(told.outputTokens, counted.outputTokens);
  if (inputTokens === 0 && outputTokens === 0) return null;
  return {
    calls: 1,
    inputTokens,
    outputTokens,
    cacheReadTokens: more(told.cacheReadTokens, counted.cacheReadTokens),
    cacheWriteTokens: more(told.cacheWriteTokens, counted.cacheWriteTokens),
    costNano: told.totalCost === null ? 0 : more(toNano(told.totalCost), counted.costNano),
    unpricedCalls: told.totalCost === null ? 1 : 0,
  };
}

export function toTokenUsage(used: UsedAmount): TokenUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = used;
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === 0 ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
    totalCost: used.unpricedCalls > 0 ? null : toUsd(used.costNano),
  };
}
