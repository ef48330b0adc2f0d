import { rowOf } from './names.ts';

type Tool = { readonly definition: { readonly name: string }; readonly readOnly?: boolean };

/** Is it offered to a model that may change nothing? Whatever promises to change nothing is, whoever made it. */
export function isOfferedWhereNothingChanges({ readOnly, definition }: Tool): boolean {
  return readOnly === true || rowOf(definition.name)?.whereNothingChanges === 'judged';
}
