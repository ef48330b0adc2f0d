import type { PipelineDefinition, PipelineStatus, Task } from '@attractor/api';
import { useQueries } from '@tanstack/react-query';
import { valueOf } from './answers.ts';
import { api } from './api.ts';

export type Pipelines = Readonly<Record<string, PipelineDefinition>>;

/** The pipeline versions of some tasks; names of statuses come from nowhere else. A version never changes. */
export function usePipelines(tasks: ReadonlyArray<Task>): Pipelines {
  const keys = [...new Set(tasks.map(pipelineKey))].toSorted();
  return useQueries({
    queries: keys.map((key) => {
      const [id = '', version] = key.split('@');
      return {
        queryKey: ['pipeline', key],
        queryFn: async () => valueOf(await api.pipelines.get(id, Number(version))),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
    combine: joined,
  });
}

function joined(found: ReadonlyArray<{ readonly data: PipelineDefinition | undefined }>): Pipelines {
  const known = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return Object.fromEntries(known.map((pipeline) => [`${pipeline.id}@${pipeline.version}`, pipeline]));
}

/** The status of a task as its pipeline describes it; its bare name until that is known. */
export function statusOf(task: Task, pipelines: Pipelines): PipelineStatus {
  const statuses = pipelines[pipelineKey(task)]?.statuses ?? [];
  const known = statuses.find((status) => status.id === task.status);
  return (
    known ?? { id: task.status, label: task.status.replaceAll('_', ' '), category: 'backlog', color: '', position: 0 }
  );
}

export function pipelineKey(task: Pick<Task, 'pipelineId' | 'pipelineVersion'>): string {
  return `${task.pipelineId}@${task.pipelineVersion}`;
}
