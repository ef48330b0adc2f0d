import { rowOf } from './names.ts';

type Tool = { readonly definition: { readonly name: string }; readonly readOnly?: boolean };

/** Whether it is offered to a model that may change nothing. Any tool that promises to change nothing is, whoever made it. */
export function isOfferedWhereNothingChanges({ readOnly, definition }: Tool): boolean {
  return readOnly === true || rowOf(definition.name)?.whereNothingChanges === 'judged';
}
