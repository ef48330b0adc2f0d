import type { RunOverrides } from './run-overrides.ts';
import type { Task } from './task.ts';

export type NewTask = {
  readonly projectId: string;
  /** May be absent only where the template has one. */
  readonly title: string;
  readonly description?: string;
  readonly pipelineId?: string;
  readonly priority?: Task['priority'];
  readonly size?: Task['size'];
  readonly complexity?: Task['complexity'];
  readonly tags?: ReadonlyArray<string>;
  readonly plan?: string;
  readonly acceptanceCriteria?: ReadonlyArray<string>;
  readonly parentTaskId?: string;
  readonly dependsOn?: ReadonlyArray<string>;
  readonly sourceUrl?: string;
  /** What is not said here is taken from it; id or name. */
  readonly template?: string;
  /** Such as `bug`: chooses the pipeline by the project's `pipelineByType`. */
  readonly taskType?: string;
  /** Holds for every run of the task. */
  readonly overrides?: RunOverrides;
};
