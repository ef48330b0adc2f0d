import type { AgentRunResult } from '@attractor/adapters';
import { ofPlan, readPlanText } from '@attractor/store';
import { withoutMarkers } from './markers.ts';
import { reportedPlan } from './reported-plan.ts';

/**
 * The plan or document of a run: from the payload, otherwise the text beside the report, otherwise the last text. Null if there is none. A
 * plan that was given as data becomes the markdown that is made from it.
 */
export function planText({
  payload,
  result,
}: {
  readonly payload: unknown;
  readonly result: AgentRunResult;
}): string | null {
  const data = reportedPlan(payload);
  const plan = data === null ? null : ofPlan(data);
  if (plan?.kind === 'data') return plan.text;
  const candidates = [textIn(payload, 'plan'), textIn(payload, 'document'), result.outcomeText, result.finalText];
  for (const candidate of candidates) {
    const text = withoutMarkers(candidate ?? '');
    if (text !== '') return asMarkdown(text);
  }
  return null;
}

/** What an agent wrote as JSON is shown as markdown; whatever else it wrote stays as it is. */
function asMarkdown(text: string): string {
  const read = readPlanText(text);
  return read.kind === 'data' ? read.text : text;
}

function textIn(payload: unknown, key: string): string | undefined {
  const value: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}
