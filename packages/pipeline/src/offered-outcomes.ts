import type { OutcomeChoice } from '@attractor/adapters';
import type { AgentRunMode, PipelineDefinition } from '@attractor/store';
import { reachableOutcomes } from './decide.ts';
import { MODE_OUTCOMES, outcomeChoices } from './outcomes/schemas.ts';

type Place = {
  readonly status: string;
  readonly mode: AgentRunMode;
  /** Subtasks and their phases have no subtasks of their own. */
  readonly canSplit: boolean;
};

/**
 * What an agent may report: what the pipeline has a place for here (or, beside a pipeline, what its mode ends in), and always a question.
 * What has no place is put before a person.
 */
export function offeredOutcomes(
  pipeline: PipelineDefinition,
  { status, mode, canSplit }: Place,
): ReadonlyArray<OutcomeChoice> {
  const reachable = reachableOutcomes(pipeline, status);
  const placed = reachable.length > 0 ? reachable : MODE_OUTCOMES[mode];
  const always = placed.includes('pr_ready') ? ['needs_info', 'no_change'] : ['needs_info'];
  const split = canSplit && mode !== 'review' ? ['propose_split'] : [];
  return outcomeChoices([...new Set([...placed, ...always, ...split])], pipeline.outcomes);
}
