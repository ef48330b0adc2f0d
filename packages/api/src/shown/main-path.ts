import type { PipelineDefinition, PipelineStatus } from '@attractor/platform';

/** The statuses that a task passes on its way to the end, and the one where it is; detours that only lead back are left out. */
function mainPath(pipeline: PipelineDefinition, current: string): ReadonlyArray<PipelineStatus> {
  return pipeline.statuses
    .filter((status) => status.id === current || !isDetour(pipeline, status))
    .toSorted((a, b) => a.position - b.position);
}

/** Beside the way: an end without success, a failure, or a place that only leads back. What lies before it may not have been passed. */
export function isDetour(pipeline: PipelineDefinition, { id, position, category, color }: PipelineStatus): boolean {
  if (category === 'blocked' || (category === 'done' && color === 'gray')) return true;
  const places = new Map(pipeline.statuses.map((status) => [status.id, status.position]));
  const onward = pipeline.transitions.filter(({ from, to }) => from === id && to !== id);
  const isEnd = pipeline.terminalStatuses.includes(id);
  return !isEnd && onward.length > 0 && onward.every(({ to }) => (places.get(to) ?? 0) < position);
}

export type PathStep = { readonly status: PipelineStatus; readonly standing: 'passed' | 'here' | 'ahead' };

export type OnPath = {
  readonly pipeline: PipelineDefinition;
  readonly status: string;
  /** The status before; null: nobody knows. */
  readonly cameFrom: string | null;
};

/**
 * The main path with what a task has behind it. A detour stands before the status that the task left for it, which is ahead again; if that
 * is unknown it comes first. An end beside the way has nothing ahead.
 */
export function pathSteps({ pipeline, status: current, cameFrom }: OnPath): ReadonlyArray<PathStep> {
  const path = mainPath(pipeline, current);
  const at = path.findIndex(({ id }) => id === current);
  const here = path[at];
  if (here === undefined || !isDetour(pipeline, here))
    return path.map((status, index) => ({ status, standing: index < at ? 'passed' : index === at ? 'here' : 'ahead' }));
  const rest = path.filter((status) => status !== here);
  const left = Math.max(
    0,
    rest.findIndex(({ id }) => id === cameFrom),
  );
  const isEnd = pipeline.terminalStatuses.includes(current);
  return [
    ...rest.slice(0, left).map((status) => ({ status, standing: 'passed' as const })),
    { status: here, standing: 'here' },
    ...(isEnd ? [] : rest.slice(left).map((status) => ({ status, standing: 'ahead' as const }))),
  ];
}
