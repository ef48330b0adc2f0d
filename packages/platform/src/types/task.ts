import type { Id } from '@attractor/agent';

export type Priority = 'critical' | 'high' | 'medium' | 'low';
export type Size = 'xs' | 's' | 'm' | 'l' | 'xl';
export type Complexity = 'low' | 'medium' | 'high';

/** `status` is one of the statuses of the pipeline version the task started with; only a transition changes it. */
export type Task = {
  readonly id: Id<'tsk'>;
  readonly projectId: Id<'prj'>;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly pipelineId: string;
  readonly pipelineVersion: number;
  readonly priority: Priority;
  readonly size: Size;
  readonly complexity: Complexity;
  readonly tags: ReadonlyArray<string>;
  readonly plan: string | null;
  /** Counts every change; a write based on an older version is refused. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ArtifactType = 'branch' | 'commit' | 'diff' | 'pull_request' | 'document' | 'mock' | 'link';

export type Artifact = {
  readonly id: Id<'art'>;
  readonly taskId: Id<'tsk'>;
  readonly runId: Id<'run'> | null;
  readonly type: ArtifactType;
  readonly label: string;
  readonly url: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
};
