import { failure, type Answer } from '@attractor/api';
import type { Context } from 'hono';

type Schema<Value> = {
  readonly safeParse: (
    input: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: ReadonlyArray<Issue> } };
};

type Issue = {
  readonly path: ReadonlyArray<PropertyKey>;
  readonly code?: string | undefined;
  readonly message: string;
  readonly origin?: unknown;
  readonly inclusive?: unknown;
  readonly maximum?: unknown;
  readonly minimum?: unknown;
};

/** Schemas are made on first use. */
type SchemaOf<Value> = () => Schema<Value>;

/** The body decoded by the schema; any mistake is a value that says what to change. */
export async function decodeBody<Value>(context: Context, schema: SchemaOf<Value>): Promise<Answer<Value>> {
  const text = decodeText(await context.req.arrayBuffer());
  if (text === null) return { ok: false, error: failure('bad_request', 'The body is not JSON: it is not UTF-8.') };
  const parsed = parseJson(text);
  if (parsed === null)
    return { ok: false, error: failure('bad_request', 'The body is not JSON. Send one JSON object.') };
  return check(schema, parsed.value, 'body');
}

function decodeText(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where a text holds the one character that no database keeps; null: nowhere. */
export function placeOfNul(value: unknown, place: string): string | null {
  // Not by recursion: what is sent may be as deep as it is long.
  const open: Array<readonly [string, unknown]> = [[place, value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, one] = next;
    if (typeof one === 'string' && one.includes('\0')) return at;
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, part] of Object.entries(one)) {
      if (name.includes('\0')) return at;
      open.push([at === '' ? name : `${at}.${name}`.slice(0, 200), part]);
    }
  }
  return null;
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
  const nul = result.success ? placeOfNul(input, '') : null;
  if (result.success && nul === null) return { ok: true, value: result.data };
  if (result.success)
    return {
      ok: false,
      error: failure('bad_request', `The ${place} is not as expected. ${nul || place}: expected no character U+0000`),
    };
  const reasons = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || place}: ${expectedOf(issue)}`);
  return { ok: false, error: failure('bad_request', `The ${place} is not as expected. ${reasons.join('; ')}`) };
}

/** People read it beside the form that they sent: sizes are said in words, all else as the schema says it. */
function expectedOf({ code, origin, inclusive, maximum, minimum, message }: Issue): string {
  if (inclusive !== true) return message;
  if (code === 'too_big') return `expected at most ${sizeOf(maximum, origin)}`;
  return code === 'too_small' ? `expected at least ${sizeOf(minimum, origin)}` : message;
}

const UNITS = new Map<unknown, readonly [one: string, many: string]>([
  ['string', ['character', 'characters']],
  ['array', ['entry', 'entries']],
]);

function sizeOf(size: unknown, origin: unknown): string {
  const unit = UNITS.get(origin);
  return unit === undefined ? String(size) : `${String(size)} ${unit[size === 1 ? 0 : 1]}`;
}
