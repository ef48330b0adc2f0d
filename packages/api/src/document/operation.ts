import { defined } from '@attractor/base';
import { bytes, type HttpRoute, type Route } from '../route.ts';
import { failuresOf } from './failures.ts';
import type { JsonSchema, Schemas } from './schemas.ts';

export type Operation = {
  readonly operationId: string;
  readonly tags: ReadonlyArray<string>;
  readonly summary: string;
  readonly parameters?: ReadonlyArray<Parameter>;
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content } | Reference>
  >;
  /** Empty: nobody has to say who they are. */
  readonly security?: readonly [];
};

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

type Reference = { readonly $ref: string };

export type DescribedRoute = {
  readonly noun: string;
  readonly name: string;
  readonly route: Route | HttpRoute;
  readonly isOpen: boolean;
};

export function operationOf({ noun, name, route, isOpen }: DescribedRoute, schemas: Schemas): Operation {
  const parameters = [...placesOf(route.path), ...queryOf(route, schemas), ...headersOf(route)];
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.about,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...defined({ requestBody: bodyOf(route, schemas) }),
    responses: {
      [statusOf(route)]: answerOf(route, schemas),
      ...(isTagged(route) ? { 304: { description: 'The same as the `ETag` that was sent along says.' } } : {}),
      ...Object.fromEntries(
        failuresOf(route, isOpen).map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
    },
    ...(isOpen ? { security: [] as const } : {}),
  };
}

function statusOf({ answers }: Route | HttpRoute): 200 | 302 {
  return typeof answers === 'function' ? 200 : (answers.status ?? 200);
}

/** Reads of JSON say by an `ETag` whether they have changed. */
function isTagged({ method, answers }: Route | HttpRoute): boolean {
  return method === 'GET' && typeof answers === 'function';
}

function placesOf(path: string): ReadonlyArray<Parameter> {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryOf({ query }: Route | HttpRoute, schemas: Schemas): ReadonlyArray<Parameter> {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemas.of(query(), 'input') as QuerySchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

type QuerySchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
};

const LAST_EVENT_ID = 'The id of the last frame that was read: the stream goes on after it, also after a restart.';

const ONCE =
  "A key of the client's own. Repeated with the same key within a day, also after a restart, the call is carried out once and answered the same.";

function headersOf({ answers, method, act }: Route | HttpRoute): ReadonlyArray<Parameter> {
  if (method === 'POST' && act !== null)
    return [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: ONCE,
        schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      },
    ];
  if (typeof answers === 'function' || answers.mediaType !== 'text/event-stream') return [];
  const schema = { type: 'string', pattern: String.raw`^\d{0,15}$` };
  return [{ name: 'Last-Event-ID', in: 'header', required: false, description: LAST_EVENT_ID, schema }];
}

/** Every call but a read declares its content, even if it has nothing to say. */
function bodyOf({ method, body }: Route | HttpRoute, schemas: Schemas): Operation['requestBody'] {
  if (method === 'GET') return undefined;
  if (body === bytes) return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  const schema = body === undefined ? { type: 'object', maxProperties: 0 } : schemas.of(body(), 'input');
  return { required: true, content: { 'application/json': { schema } } };
}

function answerOf({ answers }: Route | HttpRoute, schemas: Schemas) {
  if (typeof answers !== 'function')
    return { description: answers.about, content: { [answers.mediaType]: { schema: { type: 'string' } } } };
  return { description: 'Done.', content: { 'application/json': { schema: schemas.of(answers(), 'output') } } };
}
