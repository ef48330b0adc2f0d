import { expectedOfId, expectedOfName } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/store';
import type { DefinitionProblem } from './definition-names.ts';

type Given = { readonly path: string; readonly text: string; readonly expected: string | null };

/** Ids and names that nobody could say, type or see. Those that the pipeline has already stay: tasks stand in its statuses. */
export function* givenNameProblems(
  pipeline: PipelineDefinition,
  stored: PipelineDefinition | null,
): Generator<DefinitionProblem> {
  const kept = new Set(stored === null ? [] : namesOf(stored).map(({ text }) => text));
  for (const { path, text, expected } of namesOf(pipeline))
    if (expected !== null && !kept.has(text)) yield { path, expected };
}

function namesOf({ id, name, statuses, transitions }: PipelineDefinition): ReadonlyArray<Given> {
  return [
    idAt('$.id', id),
    nameAt('$.name', name),
    ...statuses.flatMap((status, at) => [
      idAt(`$.statuses[${at}].id`, status.id),
      nameAt(`$.statuses[${at}].label`, status.label),
    ]),
    // The id of a transition stands in no address and no command.
    ...transitions.flatMap((transition, at) => [
      nameAt(`$.transitions[${at}].id`, transition.id),
      nameAt(`$.transitions[${at}].label`, transition.label),
    ]),
  ];
}

const LONGEST = 200;
const idAt = (path: string, text: string): Given => ({ path, text, expected: expectedOfId(text) });
const nameAt = (path: string, text: string): Given => ({ path, text, expected: expectedOfName(text, LONGEST) });
