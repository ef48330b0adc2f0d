import type { PipelineDefinition, PipelineStatus, Task } from '@attractor/api';
import { useEffect, useState } from 'react';
import { api } from './api.ts';

export type Pipelines = Readonly<Record<string, PipelineDefinition>>;

/** The pipeline versions of some tasks; names of statuses come from nowhere else. */
export function usePipelines(tasks: ReadonlyArray<Task>): Pipelines {
  const [pipelines, setPipelines] = useState<Pipelines>({});
  const missing = [...new Set(tasks.map(keyOf))]
    .filter((key) => pipelines[key] === undefined)
    .toSorted()
    .join(' ');
  useEffect(() => {
    let gone = false;
    for (const key of missing.split(' ').filter((text) => text !== '')) {
      const [id = '', version] = key.split('@');
      void api.pipelines.get(id, Number(version)).then((answer) => {
        if (answer.ok && !gone) setPipelines((known) => ({ ...known, [key]: answer.value }));
      });
    }
    return () => {
      gone = true;
    };
  }, [missing]);
  return pipelines;
}

/** The status of a task as its pipeline describes it; its bare name until that is known. */
export function statusOf(task: Task, pipelines: Pipelines): PipelineStatus {
  const statuses = pipelines[keyOf(task)]?.statuses ?? [];
  const known = statuses.find((status) => status.id === task.status);
  return (
    known ?? { id: task.status, label: task.status.replaceAll('_', ' '), category: 'backlog', color: '', position: 0 }
  );
}

function keyOf(task: Task): string {
  return `${task.pipelineId}@${task.pipelineVersion}`;
}
