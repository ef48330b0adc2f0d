import type { PipelineDefinition, Prompt } from '@attractor/platform';

/** A review after which nothing is left to do but to take the work over; others stand between two parts of the work. */
export function isLastReview(prompt: Prompt, pipeline: Pick<PipelineDefinition, 'terminalStatuses'> | null): boolean {
  if (prompt.type !== 'review') return false;
  const next = prompt.payload.answers?.['approve'];
  return typeof next !== 'string' || pipeline === null || pipeline.terminalStatuses.includes(next);
}
