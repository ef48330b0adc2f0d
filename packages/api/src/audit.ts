import { done, once } from '@attractor/base';
import type { AuditEntry } from '@attractor/platform';
import { z } from 'zod';
import { auditEntryAnswer } from './answers/people.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = { list: 'GET /api/audit' } as const;

/** Newest first; `before` is the last id of the previous page. It is no id of a task, so it has a name of its own. */
const auditQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    person: z.string().min(1).max(200).exactOptional(),
    act: z.string().min(1).max(200).exactOptional(),
    projectId: z.string().exactOptional(),
    since: z.iso.datetime({ offset: true }).exactOptional(),
    until: z.iso.datetime({ offset: true }).exactOptional(),
    beforeEntry: z.string().max(40).exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  }),
);

export type AuditQuery = z.infer<ReturnType<typeof auditQuery>>;

export type { AuditEntry } from '@attractor/platform';

export function auditCalls(http: HttpOptions) {
  return {
    list: (query: AuditQuery = {}) => ask<ReadonlyArray<AuditEntry>>(http, at.list, { query }),
  };
}

export const auditRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list who did what, the newest first',
    answers: () => list(auditEntryAnswer()),
    access: ['admin', 'every'],
    query: auditQuery,
    act: async ({ workflow, query: { beforeEntry, ...filter } }) =>
      done(await workflow.audit({ ...filter, ...(beforeEntry === undefined ? {} : { before: beforeEntry }) })),
  }),
}));
