import { done, once } from '@attractor/base';
import { z } from 'zod';
import type { ApiDocument } from './api-document.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = { document: 'GET /api/openapi.json' } as const;

const object = () => z.record(z.string(), z.unknown());

const documentAnswer = /* @__PURE__ */ once(() =>
  z
    .looseObject({
      openapi: z.literal('3.1.0'),
      paths: z.record(z.string(), object()),
      components: z.record(z.string(), object()),
    })
    .meta({ id: 'ApiDocument' }),
);

export type { ApiDocument } from './api-document.ts';

export function openapiCalls(http: HttpOptions) {
  return {
    document: () => ask<ApiDocument>(http, at.document),
  };
}

export const openapiRoutes = /* @__PURE__ */ once(() => ({
  document: route(at.document, {
    about: 'describe this API in the words of OpenAPI 3.1',
    access: ['viewer', 'shared'],
    answers: documentAnswer,
    act: async ({ describeApi }) => done(describeApi()),
  }),
}));
