import type { Id } from '@attractor/base/id';
import type { Complexity, Priority, Size } from './task.ts';

/** How a kind of task usually begins: what is absent here is asked or defaulted when a task is made from it. */
export type TaskTemplate = {
  readonly id: Id<'tpl'>;
  readonly name: string;
  readonly description: string;
  /** Made by us; can be copied, not changed. */
  readonly builtIn: boolean;
  readonly fields: TemplateFields;
};

export type TemplateFields = {
  readonly title?: string;
  readonly description?: string;
  readonly pipelineId?: string;
  readonly priority?: Priority;
  readonly size?: Size;
  readonly complexity?: Complexity;
  readonly tags?: ReadonlyArray<string>;
  readonly acceptanceCriteria?: ReadonlyArray<string>;
};
