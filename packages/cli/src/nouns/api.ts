import { table } from '@attractor/console/lines';
import { oneVerb } from '../verbs/noun.ts';
import { verb } from '../verbs/verb.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const DESCRIBE_API = verb({
  name: 'api',
  summary: 'list the calls of the HTTP API; with --json as an OpenAPI 3.1 document',
  examples: ['api', 'api --json > openapi.json'],
  call: ({ client }) => client.openapi.document(),
  ids: ({ paths }) => Object.keys(paths),
  show: ({ paths }, { style }) =>
    table(callsOf(paths), {
      style,
      none: 'No calls.',
      columns: [
        { head: 'CALL', cell: ({ method }) => method },
        { head: 'PATH', cell: ({ path }) => path, paint: style.accent },
        { head: 'WHAT FOR', cell: ({ about }) => about },
      ],
    }),
});

function callsOf(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (typeof operation !== 'object' || operation === null || !('summary' in operation)) return [];
      return [{ method: method.toUpperCase(), path, about: String(operation.summary) }];
    }),
  );
}

export const define = oneVerb(DESCRIBE_API);
