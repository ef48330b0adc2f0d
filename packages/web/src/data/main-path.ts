import type { PipelineDefinition, PipelineStatus } from '@attractor/api';

/** The statuses that a task passes on its way to the end, and the one where it is; detours that only lead back are left out. */
export function mainPath(pipeline: PipelineDefinition, current: string): ReadonlyArray<PipelineStatus> {
  const position = new Map(pipeline.statuses.map(({ id, position: at }) => [id, at]));
  const isDetour = ({ id, position: at, category, color }: PipelineStatus): boolean => {
    if (category === 'blocked' || (category === 'done' && color === 'gray')) return true;
    const onward = pipeline.transitions.filter(({ from, to }) => from === id && to !== id);
    const isEnd = pipeline.terminalStatuses.includes(id);
    return !isEnd && onward.length > 0 && onward.every(({ to }) => (position.get(to) ?? 0) < at);
  };
  return pipeline.statuses
    .filter((status) => status.id === current || !isDetour(status))
    .toSorted((a, b) => a.position - b.position);
}
