import { failure, type Answer } from '@attractor/api';
import type { Context } from 'hono';

type Schema<Value> = {
  readonly safeParse: (
    input: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: ReadonlyArray<Issue> } };
};

type Issue = { readonly path: ReadonlyArray<PropertyKey>; readonly message: string };

/** Schemas are made on first use. */
type SchemaOf<Value> = () => Schema<Value>;

/** The body decoded by the schema; any mistake is a value that says what to change. */
export async function decodeBody<Value>(context: Context, schema: SchemaOf<Value>): Promise<Answer<Value>> {
  const parsed = await context.req.text().then(parseJson, () => null);
  if (parsed === null)
    return { ok: false, error: failure('bad_request', 'The body is not JSON. Send one JSON object.') };
  return check(schema, parsed.value, 'body');
}

/** The query string decoded by the schema; a name given twice is a mistake. */
export function decodeQuery<Value>(context: Context, schema: SchemaOf<Value>): Answer<Value> {
  const entries = Object.entries(context.req.queries());
  const query = Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
  return check(schema, query, 'query');
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function check<Value>(schema: SchemaOf<Value>, input: unknown, place: string): Answer<Value> {
  const result = schema().safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  const reasons = result.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || place}: ${message}`);
  return { ok: false, error: failure('bad_request', `The ${place} is not as expected. ${reasons.join('; ')}`) };
}
