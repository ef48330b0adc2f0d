import type { Id } from '@attractor/base/id';
import type { TemplateFields } from '@attractor/facts';

/** How a type of task usually begins: absent fields are asked for or get defaults when a task is made from it. */
export type TaskTemplate = {
  readonly id: Id<'tpl'>;
  readonly name: string;
  readonly description: string;
  /** Built in; can be copied, not changed. */
  readonly builtIn: boolean;
  readonly fields: TemplateFields;
};

export type { TemplateFields } from '@attractor/facts';
