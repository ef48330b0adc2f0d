import type { PipelineDefinition, PipelineStatus, Task } from '@attractor/api';
import { pipelineKey, type Pipelines } from '@attractor/api/shown';
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAnswer, valueOf } from './answers.ts';
import { api } from './api.ts';

const NONE: Pipelines = {};

/** The pipeline versions of some tasks; names of statuses come from nowhere else. A version never changes, and is asked for once. */
export function usePipelines(tasks: ReadonlyArray<Task>): Pipelines {
  const cache = useQueryClient();
  const keys = [...new Set(tasks.map(pipelineKey))].toSorted();
  const query = useQuery({
    queryKey: ['pipelines of tasks', ...keys],
    queryFn: async () => joined(await Promise.allSettled(keys.map((key) => readPipeline(cache, key)))),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data ?? NONE;
}

function readPipeline(cache: QueryClient, key: string): Promise<PipelineDefinition> {
  const [id = '', version] = key.split('@');
  return cache.fetchQuery({
    queryKey: ['pipeline', key],
    queryFn: async () => valueOf(await api.pipelines.get(id, Number(version))),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function joined(found: ReadonlyArray<PromiseSettledResult<PipelineDefinition>>): Pipelines {
  const known = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return Object.fromEntries(known.map((pipeline) => [`${pipeline.id}@${pipeline.version}`, pipeline]));
}

/** The statuses of all pipelines, for what is told of many tasks; of two with the same name the first. */
export function useEveryStatus(): ReadonlyArray<PipelineStatus> {
  const pipelines = useAnswer(['pipelines'], () => api.pipelines.list());
  const value = pipelines.state === 'ready' ? pipelines.value : null;
  return useMemo(() => value?.flatMap(({ statuses }) => statuses) ?? [], [value]);
}
