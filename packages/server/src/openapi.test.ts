import { describeApi, describedRoutes } from '@attractor/api';
import { type Schema, Validator } from '@cfworker/json-schema';
import { expect, it } from 'vitest';
import schemaOfOpenApi from './test-support/openapi-3.1.schema.json' with { type: 'json' };
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { openRealWorld } from './test-support/real-world.ts';
import { serve, TOKEN } from './test-support/serve.ts';

it("the document fits the schema that OpenAPI 3.1's makers publish", () => {
  const validator = new Validator(schemaOfOpenApi as Schema, '2020-12', false);
  const document: unknown = JSON.parse(JSON.stringify(describeApi()));
  expect(validator.validate(document)).toEqual({ valid: true, errors: [] });
  expect(validator.validate({ openapi: '3.1.0', info: { title: 'no version' }, paths: {} }).valid).toBe(false);
});

it('the document has every route of the router, and nothing else', async () => {
  const server = await serve({ workflow: await createMemoryWorkflow() });
  const served = server.app.hono.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const described = Object.entries(describeApi().paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.length).toBeGreaterThan(100);
  expect(described.toSorted()).toEqual([...new Set(served)].toSorted());
  // Signing in and out makes no record that a repetition could double, and a reply counts once by itself.
  const withoutKey = ['/api/login', '/api/logout', '/api/session', '/api/login-keys', '/api/prompts/{id}/respond'];
  const posts = Object.entries(describeApi().paths).filter(([, operations]) => 'post' in operations);
  const keyless = posts.filter(([, operations]) => !JSON.stringify(operations).includes('Idempotency-Key'));
  expect(keyless.map(([path]) => path).toSorted()).toEqual(withoutKey.toSorted());
});

it('every reference leads somewhere, every schema is used, and no two calls have one name', () => {
  const document = describeApi();
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, at]) => at));
  const there = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  expect([...used].toSorted()).toEqual(there.toSorted());
  const names = describedRoutes().map(({ noun, name }) => `${noun}.${name}`);
  expect(names).toEqual([...new Set(names)]);
});

it('says of each call what it takes, what it answers and how it fails', () => {
  const { paths } = describeApi();
  expect(paths['/api/tasks']).toMatchObject({
    get: {
      operationId: 'tasks.list',
      parameters: expect.arrayContaining([
        { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000 } },
      ]),
      responses: {
        200: {
          content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Task' } } } },
        },
        401: { $ref: '#/components/responses/Failure401' },
      },
    },
    post: {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { required: ['projectId', 'title'], additionalProperties: false } } },
      },
    },
  });
  expect(paths['/api/attachments/{id}']).toMatchObject({
    get: { responses: { 200: { content: { 'application/octet-stream': {} } } } },
  });
  expect(paths['/api/events']).toMatchObject({
    get: {
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'Last-Event-ID', in: 'header' })]),
      responses: { 200: { content: { 'text/event-stream': {} } } },
    },
  });
  expect(paths['/healthz']).toMatchObject({ get: { security: [] } });
});

it('is served to whoever has the token', async () => {
  const { client, fetch } = await openRealWorld();
  expect(await client.openapi.document()).toMatchObject({ ok: true, value: { openapi: '3.1.0' } });
  expect((await fetch('/api/openapi.json', { headers: { authorization: `Bearer not ${TOKEN}` } })).status).toBe(401);
});
