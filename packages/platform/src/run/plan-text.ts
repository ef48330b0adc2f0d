import type { AgentRunResult } from '@attractor/adapters';
import { withoutMarkers } from '@attractor/pipeline';

/**
 * The plan or document of a run: from the payload, otherwise the text beside the report, otherwise the last text. Null if there is none.
 */
export function planText({
  payload,
  result,
}: {
  readonly payload: unknown;
  readonly result: AgentRunResult;
}): string | null {
  const candidates = [textIn(payload, 'plan'), textIn(payload, 'document'), result.outcomeText, result.finalText];
  for (const candidate of candidates) {
    const text = withoutMarkers(candidate ?? '');
    if (text !== '') return text;
  }
  return null;
}

function textIn(payload: unknown, key: string): string | undefined {
  const value: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}
