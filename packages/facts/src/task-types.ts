import type { COMPLEXITIES, PRIORITIES, SIZES, TASK_FIELDS, FieldPlace, TaskField } from './task-fields.ts';

export type Priority = (typeof PRIORITIES)[number];
export type Size = (typeof SIZES)[number];
export type Complexity = (typeof COMPLEXITIES)[number];

export type AcceptanceCriterion = { readonly text: string; readonly met: boolean };

type Fields = typeof TASK_FIELDS;

type In<Place extends FieldPlace> = {
  [Name in keyof Fields]: Place extends Fields[Name]['in'][number] ? Name : never;
}[keyof Fields];

/** As stored and shown. */
type Value<Field extends TaskField> = Field extends { readonly choices: ReadonlyArray<infer Choice> }
  ? Choice
  : Field extends { readonly kind: 'words' | 'names' }
    ? ReadonlyArray<string>
    : Field extends { readonly kind: 'criteria' }
      ? ReadonlyArray<AcceptanceCriterion>
      : string;

/** As first set: no criterion is met yet. */
type First<Field extends TaskField> = Field extends { readonly kind: 'criteria' }
  ? ReadonlyArray<string>
  : Value<Field>;

type OrNull<Field extends TaskField> = Field extends { readonly clearable: true } ? null : never;

/** The fields for creating a task. */
export type NewTaskFields = { readonly [Name in 'title']: string } & {
  readonly [Name in Exclude<In<'create'>, 'title'>]?: First<Fields[Name]>;
};

/** What people may change in a task by hand; null removes a value. */
export type TaskEditFields = { readonly [Name in In<'edit'>]?: Value<Fields[Name]> | OrNull<Fields[Name]> };

/** What a template may contain. */
export type TemplateFields = { readonly [Name in In<'template'>]?: First<Fields[Name]> };

type Stored = { [Name in keyof Fields]: Fields[Name] extends { readonly column: string } ? Name : never }[keyof Fields];

type Kept<Field extends TaskField> = Field extends { readonly id: infer Prefix extends string }
  ? `${Prefix}_${string}`
  : Value<Field>;

/** The fields that every task has. */
export type StoredTaskFields = { readonly [Name in Stored]: Kept<Fields[Name]> | OrNull<Fields[Name]> };

/** As in the database: lists are JSON. */
export type TaskFieldColumns = {
  [Name in Stored as Fields[Name]['column']]:
    | (Value<Fields[Name]> extends string ? Value<Fields[Name]> : string)
    | OrNull<Fields[Name]>;
};
