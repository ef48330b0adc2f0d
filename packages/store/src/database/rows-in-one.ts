import { CompiledQuery, InsertQueryNode, type OperationNode, PostgresQueryCompiler, ValuesNode } from 'kysely';

/** Few lengths: each is a statement of its own, whose plan a connection keeps. */
const LENGTHS = [16, 4, 2, 1];

/**
 * What one transaction writes, or several that are about different things, in fewer statements: what they insert in the same way becomes one
 * with many rows, since a row costs the server a fraction of a statement. Each transaction's own order stays.
 */
export function rowsInOne(transactions: ReadonlyArray<ReadonlyArray<CompiledQuery>>): ReadonlyArray<CompiledQuery> {
  const all: CompiledQuery[] = [];
  let left = transactions.map(stepsOf);
  while (left.length > 0) {
    const next = left.flatMap(([step]) => step ?? []);
    for (const alike of Map.groupBy(next, ({ sql }) => sql).values()) all.push(...inOne(alike));
    left = left.map(([, ...later]) => later).filter(({ length }) => length > 0);
  }
  return all;
}

/** Neighbours that are alike are one step: their rows may go together. */
function stepsOf(queries: ReadonlyArray<CompiledQuery>): ReadonlyArray<ReadonlyArray<CompiledQuery>> {
  const steps: CompiledQuery[][] = [];
  for (const query of queries) {
    const last = steps.at(-1);
    if (last?.[0]?.sql === query.sql) last.push(query);
    else steps.push([query]);
  }
  return steps;
}

function inOne(alike: ReadonlyArray<CompiledQuery>): ReadonlyArray<CompiledQuery> {
  const all: CompiledQuery[] = [];
  let left = alike;
  while (left.length > 0) {
    const length = LENGTHS.find((most) => most <= left.length) ?? 1;
    const [together, first] = [left.slice(0, length), left[0]];
    const text = length === 1 || first === undefined ? null : textOf(first, length);
    if (text === null) all.push(...together);
    else
      all.push(
        CompiledQuery.raw(
          text,
          together.flatMap(({ parameters }) => parameters),
        ),
      );
    left = left.slice(length);
  }
  return all;
}

const compiler = new PostgresQueryCompiler();
/** By the text for one row. Null: it takes only one. */
const texts = new Map<string, string | null>();

function textOf({ sql, query, queryId, parameters }: CompiledQuery, length: number): string | null {
  const key = `${length} ${sql}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const row = rowOf(query);
  let text: string | null = null;
  if (row !== null && InsertQueryNode.is(query)) {
    const values = ValuesNode.create(Array.from({ length }, () => row));
    const many = compiler.compileQuery(InsertQueryNode.cloneWith(query, { values }), queryId);
    // Else a parameter stands outside the row.
    if (many.parameters.length === parameters.length * length) text = many.sql;
  }
  texts.set(key, text);
  return text;
}

/** Of an insert of one row that leaves alone what is there already. */
function rowOf(query: OperationNode) {
  if (!InsertQueryNode.is(query) || query.values === undefined || !ValuesNode.is(query.values)) return null;
  const isPlain = query.onConflict === undefined || query.onConflict.doNothing === true;
  const [row, ...others] = query.values.values;
  return isPlain && row !== undefined && others.length === 0 ? row : null;
}
