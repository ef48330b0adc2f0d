import type { ToolBudget } from '../types/index.ts';
import type { SessionView } from '../conversation/view.ts';

/** Why a call of the open round exceeds the budget; null if it does not. Calls are counted in the order the model made them. */
export function overBudget(view: SessionView, budget: ToolBudget | undefined, toolCallId: string): string | null {
  const calls = view.round?.calls ?? [];
  const index = calls.findIndex((call) => call.toolCallId === toolCallId);
  const call = calls[index];
  if (budget === undefined || call === undefined) return null;
  const later = calls.slice(index + 1);
  const all = Object.values(view.callCounts).reduce((sum, count) => sum + count, 0) - later.length;
  if (all > (budget.total ?? Infinity)) return `the budget of ${budget.total} tool calls is used up`;
  const { toolName } = call;
  const limit = Object.hasOwn(budget.perTool ?? {}, toolName) ? budget.perTool?.[toolName] : undefined;
  const ofTool = (view.callCounts[toolName] ?? 0) - later.filter((one) => one.toolName === toolName).length;
  return ofTool > (limit ?? Infinity) ? `the budget of ${limit} calls of ${toolName} is used up` : null;
}
