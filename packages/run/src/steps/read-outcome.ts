import type { AgentRunResult } from '@attractor/adapters';
import { judgePayload, readMarkers, readPayload, readQuestions } from '@attractor/pipeline';
import { resultOf, type RunContext, type StepResults } from '../run-context/run-context.ts';

export type Found = Omit<StepResults['parse'], 'talk'>;
/** `reported`: the outcome that the agent named, though it can't be used. */
export type Reading = { readonly found: Found } | { readonly problem: string; readonly reported: string | null };

/** The outcome as the agent reported it: with the tool, otherwise in markers. */
export function readOutcome(context: RunContext, result: AgentRunResult): Reading {
  if (result.outcome !== undefined)
    return fit(context, { outcome: result.outcome, payload: result.payload ?? null, source: 'tool' });
  const marked = readMarkers(result.finalText);
  if (marked.kind === 'found')
    return fit(context, { outcome: marked.outcome, payload: marked.payload ?? null, source: 'markers' });
  if (marked.kind === 'broken') return { problem: marked.problem, reported: marked.outcome };
  const { refusedReport } = result;
  return refusedReport === undefined
    ? { problem: 'No outcome was reported.', reported: null }
    : { problem: refusedReport.problem, reported: refusedReport.outcome };
}

function fit(context: RunContext, told: Found): Reading {
  const found = { ...told, payload: readPayload(told.outcome, told.payload) };
  const problem = judgePayload(resultOf(context, 'context').outcomes, found.outcome, found.payload);
  return problem === null ? { found } : { problem, reported: found.outcome };
}

/** An agent that asks without a usable question is taken at its words: what it wrote last is the question. */
export function questionFromText({ finalText, outcomeText }: AgentRunResult): Found | null {
  const payload = readQuestions(finalText.trim() === '' ? (outcomeText ?? '') : finalText);
  return payload === null ? null : { outcome: 'needs_info', payload, source: 'inferred' };
}
