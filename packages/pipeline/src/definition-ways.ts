import type { PipelineDefinition } from '@attractor/store';
import type { DefinitionProblem } from './definition-names.ts';

/**
 * Statuses that no task comes to, or from which none comes to an end, whatever agents report and people decide. What passes here has a use
 * for each of its statuses.
 */
export function* wayProblems(pipeline: PipelineDefinition): Generator<DefinitionProblem> {
  const { initialStatus, terminalStatuses, statuses } = pipeline;
  if (terminalStatuses.length === 0) {
    yield { path: '$.terminalStatuses', expected: 'at least one status in which a task is over' };
    return;
  }
  const reached = reachedFrom(pipeline, initialStatus);
  for (const [index, { id }] of statuses.entries()) {
    const path = `$.statuses[${index}]`;
    if (!reached.has(id))
      yield {
        path,
        expected: `a transition into "${id}" that a task can take: none leads there from "${initialStatus}"`,
      };
    else if (terminalStatuses.every((end) => !reachedFrom(pipeline, id).has(end)))
      yield {
        path,
        expected: `a way from "${id}" to an end (${terminalStatuses.join(', ')}): no transition leads there`,
      };
  }
}

/** A task stays at an end of its pipeline. */
function reachedFrom({ transitions, terminalStatuses }: PipelineDefinition, start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const status of reached)
    if (!terminalStatuses.includes(status))
      for (const { from, to } of transitions) if (from === status || from === '*') reached.add(to);
  return reached;
}
