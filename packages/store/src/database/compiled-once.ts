import { type CompiledQuery, type Expression, type QueryResult, sql } from 'kysely';
import type { Reader } from './store.ts';

/** What stands in a query for the values of a call; for a list one for each of its items. */
export type Given<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Expression<Item>>
    : Expression<Values[Name]>;
};

type Compilable<Row> = { readonly compile: () => CompiledQuery<Row> };
type Adapter = ReturnType<Reader['getExecutor']>['adapter'];

/** Asks it; `fill` only makes what is to be asked. */
export type Compiled<Values extends object, Row> = {
  (db: Reader, values: Values): Promise<QueryResult<Row>>;
  readonly fill: (db: Reader, values: Values) => CompiledQuery<Row>;
};

/**
 * A query that is built and compiled at its first call with a database, and only filled in at every later one: building takes longer than
 * most answers. For those that are asked often. The values of every call have the same names; lists may have few lengths, each of which is
 * compiled by itself.
 */
export function compiledOnce<Values extends object, Row>(
  build: (db: Reader, given: Given<Values>) => Compilable<Row>,
): Compiled<Values, Row> {
  const kept = new WeakMap<Adapter, Map<string, CompiledQuery<Row>>>();
  let lists: ReadonlyArray<string> | null = null;
  const compiled = (db: Reader, values: Values): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    lists ??= Object.entries(values).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []));
    const lengths = lists.length === 0 ? '' : lengthsOf(lists, values);
    const known = kept.get(adapter)?.get(lengths);
    if (known !== undefined) return known;
    const query = build(db, placesFor(values)).compile();
    const others = kept.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    kept.set(adapter, others.set(lengths, query));
    return query;
  };
  const fill = (db: Reader, values: Values): CompiledQuery<Row> => {
    const query = compiled(db, values);
    return { ...query, parameters: query.parameters.map((parameter) => filled(parameter, values)) };
  };
  return Object.assign((db: Reader, values: Values) => db.executeQuery(fill(db, values)), { fill });
}

function lengthsOf(lists: ReadonlyArray<string>, values: object): string {
  return lists.map((name) => [Reflect.get(values, name)].flat().length).join(' ');
}

/** Where a value goes. */
class Place {
  readonly name: string;
  readonly index: number | null;
  constructor(name: string, index: number | null) {
    this.name = name;
    this.index = index;
  }
}

function placesFor<Values extends object>(values: Values): Given<Values> {
  const place = (name: string, index: number | null) => sql`${new Place(name, index)}`;
  const places = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_item, index) => place(name, index)) : place(name, null),
  ]);
  return Object.fromEntries(places);
}

function filled(parameter: unknown, values: object): unknown {
  if (!(parameter instanceof Place)) return parameter;
  const { name, index } = parameter;
  const given: unknown = Reflect.get(values, name);
  const value: unknown = index !== null && Array.isArray(given) ? given[index] : given;
  if (value === undefined) throw new TypeError(`The query has no value for ${name}`);
  return value;
}
