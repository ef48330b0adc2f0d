import type { OutcomeChoice } from '@attractor/adapters';
import type { AgentRunMode, PipelineDefinition } from '@attractor/store';
import { reachableOutcomes } from './decide.ts';
import { ASKING_OUTCOMES, MODE_OUTCOMES, outcomeChoices } from './outcomes/schemas.ts';

type Place = {
  readonly status: string;
  readonly mode: AgentRunMode;
  /** Subtasks and their phases have no subtasks of their own. */
  readonly canSplit: boolean;
};

/**
 * What an agent may report: what the pipeline has a place for here (or, beside a pipeline, what its mode ends in), and always what asks a
 * person: no pipeline needs a place for that.
 */
export function offeredOutcomes(
  pipeline: PipelineDefinition,
  { status, mode, canSplit }: Place,
): ReadonlyArray<OutcomeChoice> {
  const reachable = reachableOutcomes(pipeline, status);
  const placed = reachable.length > 0 ? reachable : MODE_OUTCOMES[mode];
  const asking = [...ASKING_OUTCOMES].filter((outcome) => {
    if (outcome === 'no_change') return placed.includes('pr_ready');
    return outcome !== 'propose_split' || (canSplit && mode !== 'review');
  });
  return outcomeChoices([...new Set([...placed, ...asking])], pipeline.outcomes);
}
