import type { PlatformWorkflow } from '@attractor/platform';

/** No result for a status that no pipeline has is a typo, not an empty list. */
export async function unknownStatus(workflow: PlatformWorkflow, wanted: ReadonlyArray<string>): Promise<string | null> {
  if (wanted.length === 0) return null;
  const known = new Set((await workflow.listPipelines()).flatMap(({ statuses }) => statuses.map(({ id }) => id)));
  const unknown = wanted.find((status) => !known.has(status));
  return unknown === undefined ? null : `No pipeline has a status "${unknown}"; there are ${[...known].join(', ')}.`;
}
