import type { COMPLEXITIES, PRIORITIES, SIZES, TASK_FIELDS, FieldPlace, TaskField } from './task-fields.ts';

export type Priority = (typeof PRIORITIES)[number];
export type Size = (typeof SIZES)[number];
export type Complexity = (typeof COMPLEXITIES)[number];

export type AcceptanceCriterion = { readonly text: string; readonly met: boolean };

type Fields = typeof TASK_FIELDS;

type In<Place extends FieldPlace> = {
  [Name in keyof Fields]: Place extends Fields[Name]['in'][number] ? Name : never;
}[keyof Fields];

/** As it is stored and shown. */
type Value<Field extends TaskField> = Field extends { readonly choices: ReadonlyArray<infer Choice> }
  ? Choice
  : Field extends { readonly kind: 'words' | 'names' }
    ? ReadonlyArray<string>
    : Field extends { readonly kind: 'criteria' }
      ? ReadonlyArray<AcceptanceCriterion>
      : string;

/** As it is first said: nothing holds yet. */
type First<Field extends TaskField> = Field extends { readonly kind: 'criteria' }
  ? ReadonlyArray<string>
  : Value<Field>;

type OrNull<Field extends TaskField> = Field extends { readonly clearable: true } ? null : never;

/** What is said of a task that is made. */
export type NewTaskFields = { readonly [Name in 'title']: string } & {
  readonly [Name in Exclude<In<'create'>, 'title'>]?: First<Fields[Name]>;
};

/** What people may change of a task by hand; null takes a value away. */
export type TaskEditFields = { readonly [Name in In<'edit'>]?: Value<Fields[Name]> | OrNull<Fields[Name]> };

/** What a template may hold. */
export type TemplateFields = { readonly [Name in In<'template'>]?: First<Fields[Name]> };

type Stored = { [Name in keyof Fields]: Fields[Name] extends { readonly column: string } ? Name : never }[keyof Fields];

type Kept<Field extends TaskField> = Field extends { readonly id: infer Prefix extends string }
  ? `${Prefix}_${string}`
  : Value<Field>;

/** What every task has of these fields. */
export type StoredTaskFields = { readonly [Name in Stored]: Kept<Fields[Name]> | OrNull<Fields[Name]> };

/** As the database keeps them: lists are JSON. */
export type TaskFieldColumns = {
  [Name in Stored as Fields[Name]['column']]:
    | (Value<Fields[Name]> extends string ? Value<Fields[Name]> : string)
    | OrNull<Fields[Name]>;
};
