import { isRecord } from '@attractor/base';

/** Whether a value from outside has this type. It checks what it needs and ignores further fields. */
export type Is<Value> = (value: unknown) => value is Value;

/** An optional field. */
export type Maybe<Value> = { readonly maybe: Is<Value> };

/** The fields of a record with their types. */
export type Shape = Readonly<Record<string, Is<unknown> | Maybe<unknown>>>;

type MaybeKeys<S extends Shape> = { [Key in keyof S]: S[Key] extends Maybe<unknown> ? Key : never }[keyof S];

export type Shaped<S extends Shape> = Flat<
  { readonly [Key in Exclude<keyof S, MaybeKeys<S>>]: S[Key] extends Is<infer Value> ? Value : never } & {
    readonly [Key in MaybeKeys<S>]?: S[Key] extends Maybe<infer Value> ? Value : never;
  }
>;

/** The fields of a type that is declared elsewhere, all of them. */
export type ShapeOf<Value> = {
  readonly [Name in keyof Value]-?: undefined extends Value[Name]
    ? Maybe<Exclude<Value[Name], undefined>>
    : Is<Value[Name]>;
};

type Flat<Type> = { [Key in keyof Type]: Type[Key] };

export function isShaped<S extends Shape>(shape: S, value: unknown): value is Shaped<S> {
  if (!isRecord(value)) return false;
  return Object.entries(shape).every(([name, field]) =>
    typeof field === 'function' ? field(value[name]) : value[name] === undefined || field.maybe(value[name]),
  );
}

export const anything: Is<unknown> = (_value): _value is unknown => true;
export const text: Is<string> = (value): value is string => typeof value === 'string';
export const number: Is<number> = (value): value is number => typeof value === 'number';
export const yesOrNo: Is<boolean> = (value): value is boolean => typeof value === 'boolean';
export const record: Is<Readonly<Record<string, unknown>>> = isRecord;

export const maybe = <Value>(is: Is<Value>): Maybe<Value> => ({ maybe: is });

export const orNull =
  <Value>(is: Is<Value>): Is<Value | null> =>
  (value): value is Value | null =>
    value === null || is(value);

export const list =
  <Value>(is: Is<Value>): Is<ReadonlyArray<Value>> =>
  (value): value is ReadonlyArray<Value> =>
    Array.isArray(value) && value.every(is);

export const oneOf =
  <Word extends string>(words: ReadonlyArray<Word>): Is<Word> =>
  (value): value is Word =>
    words.some((word) => word === value);

/** A record with these fields. */
export const shaped =
  <const S extends Shape>(shape: S): Is<Shaped<S>> =>
  (value): value is Shaped<S> =>
    isShaped(shape, value);

/** A stored thing, recognised by a few of its fields: records from before a field existed still count. */
export const known =
  <Value>(by: { readonly [Name in keyof Value]?: Is<unknown> }): Is<Value> =>
  (value): value is Value =>
    record(value) && Object.entries<Is<unknown> | undefined>(by).every(([name, is]) => is?.(value[name]) !== false);
