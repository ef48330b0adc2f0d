import type { PipelineDefinition, PipelineStatus, Task } from '@attractor/platform';

/** Versions of pipelines, each by its key. */
export type Pipelines = Readonly<Record<string, PipelineDefinition>>;

/** The status of a task as its pipeline describes it; its bare name until that is known. */
export function statusOf(task: Task, pipelines: Pipelines): PipelineStatus {
  const known = statusesOf(task, pipelines).find((status) => status.id === task.status);
  const words = task.status.replaceAll('_', ' ');
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return known ?? { id: task.status, label, category: 'backlog', color: '', position: 0 };
}

/** None until its pipeline is known. */
export function statusesOf(task: Task, pipelines: Pipelines): ReadonlyArray<PipelineStatus> {
  return pipelines[pipelineKey(task)]?.statuses ?? [];
}

export function pipelineKey(task: Pick<Task, 'pipelineId' | 'pipelineVersion'>): string {
  return `${task.pipelineId}@${task.pipelineVersion}`;
}
