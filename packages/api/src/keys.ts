import { done, once } from '@attractor/base';
import { ROLES } from '@attractor/facts';
import type { ApiKey } from '@attractor/platform';
import { z } from 'zod';
import { apiKeyAnswer, newKeyAnswer } from './answers/people.ts';
import { list } from './answers/shape.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { someProjects } from './users.ts';

const at = {
  list: 'GET /api/keys',
  add: 'POST /api/keys',
  revoke: 'DELETE /api/keys/:prefix',
} as const;

/** Never more than its user may do; without `user` it is the owner's. */
const newKeyBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    name: givenName(100),
    user: z.string().min(1).max(64).exactOptional(),
    role: z.enum(ROLES).exactOptional(),
    projects: someProjects().exactOptional(),
    expiresAt: z.iso.datetime({ offset: true }).exactOptional(),
  }),
);

export type NewKeyBody = z.infer<ReturnType<typeof newKeyBody>>;

/** `secret` is told this once. */
export type NewKey = { readonly key: ApiKey; readonly secret: string };

export type { ApiKey } from '@attractor/platform';

export function keyCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<ApiKey>>(http, at.list),
    add: (body: NewKeyBody) => ask<NewKey>(http, at.add, { body }),
    revoke: (prefix: string) => ask<ApiKey>(http, at.revoke, { params: { prefix } }),
  };
}

export const keyRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list API keys: whose they are, and when each was last used',
    answers: () => list(apiKeyAnswer()),
    access: ['admin', 'every'],
    act: async ({ workflow }) => done(await workflow.listApiKeys()),
  }),
  add: route(at.add, {
    about: 'make an API key; its secret is in the answer and nowhere else',
    answers: newKeyAnswer,
    isSecret: true,
    access: ['admin', 'every'],
    body: newKeyBody,
    act: ({ workflow, body, actor }) => workflow.addApiKey(body, actor),
  }),
  revoke: route(at.revoke, {
    about: 'revoke an API key, at once',
    answers: apiKeyAnswer,
    access: ['admin', 'every'],
    act: ({ workflow, params, actor }) => workflow.revokeApiKey(params.prefix, actor),
  }),
}));
