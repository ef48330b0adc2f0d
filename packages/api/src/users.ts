import { done, once } from '@attractor/base';
import { ROLES } from '@attractor/facts';
import type { User } from '@attractor/platform';
import { z } from 'zod';
import { userAnswer } from './answers/people.ts';
import { list } from './answers/shape.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/users',
  get: 'GET /api/users/:name',
  add: 'POST /api/users',
  change: 'PATCH /api/users/:name',
  remove: 'DELETE /api/users/:name',
} as const;

const role = () => z.enum(ROLES);

/** Ids or keys. Null: all. */
export const someProjects = () => z.array(z.string().min(1).max(200)).max(1000).readonly().nullable();

const newUserBody = /* @__PURE__ */ once(() =>
  z.strictObject({ name: z.string().min(1).max(64), role: role(), projects: someProjects().exactOptional() }),
);

const userEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    role: role().exactOptional(),
    projects: someProjects().exactOptional(),
    /** Every browser of theirs has to sign in again. */
    endSessions: z.boolean().exactOptional(),
    /** Who they are at an issuer of OpenID Connect; null: nobody. */
    linked: z
      .strictObject({ issuer: z.url().max(1000), subject: z.string().min(1).max(255) })
      .nullable()
      .exactOptional(),
  }),
);

export type NewUserBody = z.infer<ReturnType<typeof newUserBody>>;
export type UserEditBody = z.infer<ReturnType<typeof userEditBody>>;

export type { User } from '@attractor/platform';

export function userCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<User>>(http, at.list),
    get: (name: string) => ask<User>(http, at.get, { params: { name } }),
    add: (body: NewUserBody) => ask<User>(http, at.add, { body }),
    change: (name: string, body: UserEditBody) => ask<User>(http, at.change, { params: { name }, body }),
    remove: (name: string) => ask<User>(http, at.remove, { params: { name } }),
  };
}

export const userRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list who may use the server',
    answers: () => list(userAnswer()),
    access: ['admin', 'every'],
    act: async ({ workflow }) => done(await workflow.listUsers()),
  }),
  get: route(at.get, {
    about: 'show a user',
    answers: userAnswer,
    access: ['admin', 'every'],
    act: async ({ workflow, params: { name } }) => found(await workflow.getUser(name), `user ${name}`),
  }),
  add: route(at.add, {
    about: 'let somebody use the server',
    answers: userAnswer,
    access: ['admin', 'every'],
    body: newUserBody,
    act: ({ workflow, body, actor }) => workflow.addUser(body, actor),
  }),
  change: route(at.change, {
    about: 'change what a user may do, or end their sessions',
    answers: userAnswer,
    access: ['admin', 'every'],
    body: userEditBody,
    act: ({ workflow, params, body, actor }) => workflow.changeUser(params.name, body, actor),
  }),
  remove: route(at.remove, {
    about: 'remove a user with their keys and sessions',
    answers: userAnswer,
    access: ['admin', 'every'],
    act: ({ workflow, params, actor }) => workflow.removeUser(params.name, actor),
  }),
}));
