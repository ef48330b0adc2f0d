import type { Id } from '@attractor/base/id';
import type { TemplateFields } from '@attractor/facts';

/** How a kind of task usually begins: what is absent here is asked or defaulted when a task is made from it. */
export type TaskTemplate = {
  readonly id: Id<'tpl'>;
  readonly name: string;
  readonly description: string;
  /** Made by us; can be copied, not changed. */
  readonly builtIn: boolean;
  readonly fields: TemplateFields;
};

export type { TemplateFields } from '@attractor/facts';
