import { CSRF_HEADER } from './access.ts';
import type { Method } from './endpoint.ts';
import { ROUTES } from './nouns.ts';
import type { ApiDocument } from './api-document.ts';
import { openRoutes } from './open-routes.ts';
import type { HttpRoute, Route } from './route.ts';
import { failureAnswer, FAILURES } from './document/failures.ts';
import { type DescribedRoute, operationOf } from './document/operation.ts';
import { createSchemas, type JsonSchema } from './document/schemas.ts';

/** Changes when something ends that was promised. */
const API_VERSION = '1';

const ABOUT = `What \`attractor serve\` answers. Programs send the token in the file \`token\` of the home folder. Times are ISO
8601 in UTC. Wherever an id stands in a path, a query or a body, the key that people use (\`ATT-12\`) or a part of the id will do.
Later versions add fields, paths and types of events; they take none away.`;

/** The API in the words of OpenAPI 3.1, from the tables that the server itself is made of. */
export function describeApi(): ApiDocument {
  const schemas = createSchemas();
  const paths: Record<string, Partial<Record<Lowercase<Method>, JsonSchema>>> = {};
  const routes = describedRoutes();
  for (const described of routes) {
    const { method, path } = described.route;
    const at = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(described, schemas) };
  }
  const failureRef = schemas.of(failureAnswer(), 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Attractor',
      version: API_VERSION,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { session: [], csrf: [] }],
    tags: [...new Set(routes.map(({ noun }) => noun))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY,
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          `Failure${status}`,
          { description, content: { 'application/json': { schema: failureRef } } },
        ]),
      ),
      schemas: schemas.named(),
    },
  };
}

/** Every route with its noun and its name, in the order in which they are matched. */
export function describedRoutes(): ReadonlyArray<DescribedRoute> {
  const nouns: Readonly<Record<string, () => Readonly<Record<string, Route | HttpRoute>>>> = ROUTES;
  const tables = [
    { noun: 'open', routes: openRoutes(), isOpen: true },
    ...Object.entries(nouns).map(([noun, routes]) => ({ noun, routes: routes(), isOpen: false })),
  ];
  return tables.flatMap(({ noun, routes, isOpen }) =>
    Object.entries(routes).map(([name, route]) => ({ noun, name, route, isOpen: isOpen || route.path === LOGIN })),
  );
}

const LOGIN = '/api/login';

const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: 'The access token of the server.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'attractor_*',
    description: 'For browsers: what `POST /api/login` sets. Its name ends in a fingerprint of the token.',
  },
  csrf: { type: 'apiKey', in: 'header', name: CSRF_HEADER, description: 'Goes with the cookie, on every call.' },
} as const;
