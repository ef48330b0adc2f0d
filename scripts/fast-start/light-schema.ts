import { isRecord } from '@attractor/base';

/**
 * Replaces zod in the built command, behind the AI SDK's providers. They use it for one thing: to check the options that they are given and
 * the events that a service sends. This does the same checks with the same results (unknown fields are dropped, invalid values are refused)
 * and nothing else, in a fraction of zod's start-up time and memory. `light-schema.test.ts` compares it with zod itself, schema by schema
 * and provider by provider.
 */
type Read = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Schema>>;
type Fields = Readonly<Record<string, unknown>>;
/** What becomes of fields that the shape does not name; a schema reads them. */
type Others = 'dropped' | 'kept' | 'refused' | Schema;

/** A schema's result for an invalid value: where, and what it expects there. */
class Misfit {
  readonly wanted: string;
  readonly path: string;

  constructor(wanted: string, path = '') {
    this.wanted = wanted;
    this.path = path;
  }

  under(key: string | number): Misfit {
    return new Misfit(this.wanted, this.path === '' ? String(key) : `${key}.${this.path}`);
  }
}

const ZOD = { vendor: 'zod' };

type About = {
  /** All values that a literal or an enumeration accepts. */
  readonly values?: ReadonlyArray<unknown> | undefined;
  /** Whether the field of an object is optional. */
  readonly mayLack?: () => boolean;
};

/** `read` returns the value in the schema's form, or a `Misfit`. */
class Schema {
  /** The SDK recognises a schema by these. */
  readonly _zod = true;
  readonly '~standard' = ZOD;
  readonly read: Read;
  readonly values: ReadonlyArray<unknown> | undefined;
  readonly mayLack: () => boolean;

  constructor(read: Read, { values, mayLack = never }: About = {}) {
    this.read = read;
    this.values = values;
    this.mayLack = mayLack;
  }

  /** Of a literal. */
  get value(): unknown {
    return this.values?.[0];
  }

  optional(): Schema {
    return new Schema((value) => (value === undefined ? value : this.read(value)), {
      values: this.values,
      mayLack: always,
    });
  }
  nullable(): Schema {
    return new Schema((value) => (value === null ? value : this.read(value)), this);
  }
  nullish(): Schema {
    return this.nullable().optional();
  }
  default(otherwise: unknown): Schema {
    return new Schema((value) => (value === undefined ? otherwise : this.read(value)), { mayLack: always });
  }
  catch(otherwise: unknown): Schema {
    const instead = (read: unknown): unknown => (read instanceof Misfit ? otherwise : read);
    return new Schema((value) => instead(this.read(value)), { mayLack: always });
  }
  transform(change: Read): Schema {
    return this.changed(change);
  }
  refine(holds: (value: unknown) => unknown, wanted: string | { readonly message?: string } = 'another value'): Schema {
    const message = typeof wanted === 'string' ? wanted : (wanted.message ?? 'another value');
    return this.changed((value) => (holds(value) ? value : new Misfit(message)));
  }
  or(other: Schema): Schema {
    return union([this, other]);
  }
  describe(): this {
    return this;
  }
  min(least: number): Schema {
    return this.refine((value) => sizeOf(value) >= least, `at least ${least}`);
  }
  max(most: number): Schema {
    return this.refine((value) => sizeOf(value) <= most, `at most ${most}`);
  }
  nonnegative(): Schema {
    return this.min(0);
  }
  positive(): Schema {
    return this.gt(0);
  }
  gt(bound: number): Schema {
    return this.refine((value) => sizeOf(value) > bound, `more than ${bound}`);
  }
  int(): Schema {
    return this.refine(Number.isSafeInteger, 'a whole number');
  }
  regex(pattern: RegExp): Schema {
    return this.refine((value) => pattern.test(String(value)), `text like ${pattern.source}`);
  }
  safeParse(value: unknown): Parsed {
    return parse(this, value);
  }
  private changed(change: Read): Schema {
    return new Schema(
      (value) => {
        const read = this.read(value);
        return read instanceof Misfit ? read : change(read);
      },
      { mayLack: this.mayLack },
    );
  }
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

/** `others`: what happens to fields that the shape does not name. */
class ObjectSchema extends Schema {
  readonly shape: Shape;
  private readonly others: Others;

  constructor(shape: Shape, others: Others) {
    super((value) => (isRecord(value) ? readFields(value, shape, others) : new Misfit('an object')));
    this.shape = shape;
    this.others = others;
  }

  extend(more: Shape): ObjectSchema {
    return new ObjectSchema({ ...this.shape, ...more }, this.others);
  }
  strict(): ObjectSchema {
    return new ObjectSchema(this.shape, 'refused');
  }
  loose(): ObjectSchema {
    return new ObjectSchema(this.shape, 'kept');
  }
  catchall(others: Schema): ObjectSchema {
    return new ObjectSchema(this.shape, others);
  }
}

function readFields(value: Fields, shape: Shape, others: Others): unknown {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(shape)) {
    const field = shape[key];
    if (field === undefined) continue;
    const read = key in value || field.mayLack() ? field.read(value[key]) : new Misfit('a value');
    if (read instanceof Misfit) return read.under(key);
    if (read !== undefined || key in value) result[key] = read;
  }
  if (others === 'dropped') return result;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(shape, key) || key === '__proto__') continue;
    if (others === 'refused') return new Misfit('no such field', key);
    const read = others === 'kept' ? value[key] : others.read(value[key]);
    if (read instanceof Misfit) return read.under(key);
    result[key] = read;
  }
  return result;
}

function plain(wanted: string, holds: (value: unknown) => boolean): () => Schema {
  return () => new Schema((value) => (holds(value) ? value : new Misfit(wanted)));
}

function oneOf(values: ReadonlyArray<unknown>): Schema {
  const wanted = `one of ${values.map(String).join(', ')}`;
  return new Schema((value) => (values.includes(value) ? value : new Misfit(wanted)), { values });
}

function array(item: Schema): Schema {
  return new Schema((value) => {
    if (!Array.isArray(value)) return new Misfit('a list');
    const result: unknown[] = [];
    for (const [at, one] of value.entries()) {
      const read = item.read(one);
      if (read instanceof Misfit) return read.under(at);
      result.push(read);
    }
    return result;
  });
}

function tuple(items: ReadonlyArray<Schema>): Schema {
  return new Schema((value) => {
    if (!Array.isArray(value) || value.length !== items.length) return new Misfit(`a list of ${items.length}`);
    const result = items.map((item, at) => item.read(value[at]));
    return result.find((read) => read instanceof Misfit) ?? result;
  });
}

function record(key: Schema, item: Schema): Schema {
  return new Schema((value) => {
    if (!isRecord(value)) return new Misfit('an object');
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue;
      const readName = key.read(name);
      const read = readName instanceof Misfit ? readName : item.read(value[name]);
      if (read instanceof Misfit) return read.under(name);
      result[String(readName)] = read;
    }
    return result;
  });
}

function union(options: ReadonlyArray<Schema>): Schema {
  const read = (value: unknown): unknown => {
    let closest: Misfit | undefined;
    for (const option of options) {
      const one = option.read(value);
      if (!(one instanceof Misfit)) return one;
      if (closest === undefined || one.path.length > closest.path.length) closest = one;
    }
    return closest ?? new Misfit('nothing');
  };
  return new Schema(read, { mayLack: () => options.some((option) => option.mayLack()) });
}

/** The value of one field chooses the option, which then decides about the rest. */
class Choice extends Schema {
  readonly byValue: () => ReadonlyMap<unknown, Schema>;
  readonly options: ReadonlyArray<Schema>;

  constructor(field: string, options: ReadonlyArray<Schema>) {
    let made: ReadonlyMap<unknown, Schema> | undefined;
    const byValue = (): ReadonlyMap<unknown, Schema> => (made ??= optionsByValue(field, options));
    super((value) => {
      if (!isRecord(value)) return new Misfit('an object');
      return (
        byValue().get(value[field])?.read(value) ?? new Misfit(`one of ${[...byValue().keys()].join(', ')}`, field)
      );
    });
    this.byValue = byValue;
    this.options = options;
  }
}

function optionsByValue(field: string, options: ReadonlyArray<Schema>): ReadonlyMap<unknown, Schema> {
  const valuesOf = (option: Schema): Iterable<unknown> => {
    if (option instanceof Choice) return option.byValue().keys();
    return option instanceof ObjectSchema ? (option.shape[field]?.values ?? []) : [];
  };
  return new Map(options.flatMap((option) => [...valuesOf(option)].map((value) => [value, option] as const)));
}

function intersection(left: Schema, right: Schema): Schema {
  const read = (value: unknown): unknown => {
    const one = left.read(value);
    if (one instanceof Misfit) return one;
    const other = right.read(value);
    return other instanceof Misfit ? other : merged(one, other);
  };
  return new Schema(read, { mayLack: () => left.mayLack() && right.mayLack() });
}

function merged(one: unknown, other: unknown): unknown {
  if (!isRecord(one) || !isRecord(other)) return other;
  const result: Record<string, unknown> = { ...one };
  for (const key of Object.keys(other)) result[key] = key in one ? merged(one[key], other[key]) : other[key];
  return result;
}

function lazy(make: () => Schema): Schema {
  let made: Schema | undefined;
  const schema = (): Schema => (made ??= make());
  return new Schema((value) => schema().read(value), { mayLack: () => schema().mayLack() });
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isNumber(value)) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) && Object.values(value).every(isJson);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : Number(value);
}

const any = plain('anything', () => true);

export const z = {
  string: plain('text', (value) => typeof value === 'string'),
  number: plain('a number', isNumber),
  boolean: plain('true or false', (value) => typeof value === 'boolean'),
  null: plain('null', (value) => value === null),
  never: plain('nothing', () => false),
  json: plain('a JSON value', isJson),
  unknown: any,
  any,
  literal: (value: unknown): Schema => oneOf(Array.isArray(value) ? value : [value]),
  enum: (values: ReadonlyArray<unknown> | Fields): Schema => oneOf(isRecord(values) ? Object.values(values) : values),
  object: (shape: Shape): ObjectSchema => new ObjectSchema(shape, 'dropped'),
  looseObject: (shape: Shape): ObjectSchema => new ObjectSchema(shape, 'kept'),
  strictObject: (shape: Shape): ObjectSchema => new ObjectSchema(shape, 'refused'),
  array,
  tuple,
  record,
  partialRecord: record,
  union,
  discriminatedUnion: (field: string, options: ReadonlyArray<Schema>): Schema => new Choice(field, options),
  intersection,
  lazy,
  coerce: {
    number: (): Schema => new Schema((value) => (isNumber(Number(value)) ? Number(value) : new Misfit('a number'))),
  },
};

type Parsed = { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: Error };

function parse(schema: Schema, value: unknown): Parsed {
  const read = schema.read(value);
  if (!(read instanceof Misfit)) return { success: true, data: read };
  return { success: false, error: new Error(`expected ${read.wanted}${read.path === '' ? '' : ` at ${read.path}`}`) };
}

export async function safeParseAsync(schema: Schema, value: unknown): Promise<Parsed> {
  return parse(schema, value);
}

/** The SDK asks whether messages have a language yet; ours need none. */
export function config(): { readonly localeError: true } {
  return { localeError: true };
}

/** Only for tools that the SDK itself defines. We pass every tool with its JSON Schema. */
export function toJSONSchema(): never {
  throw new Error('The built command has no schemas to show: give each tool its JSON Schema.');
}
