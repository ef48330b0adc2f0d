import { done, once } from '@attractor/base';
import type { Inbox } from '@attractor/platform';
import { z } from 'zod';
import { inboxAnswer } from './answers/state.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/inbox',
} as const;

const inboxQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    projectId: z.string().min(1).exactOptional(),
    taskId: z.string().min(1).exactOptional(),
    limit: z.coerce.number().int().min(1).max(500).exactOptional(),
  }),
);

export type InboxQuery = z.infer<ReturnType<typeof inboxQuery>>;

export type { Inbox, InboxItem, NextStep, TaskState } from '@attractor/platform';

/** How many tasks wait for a person: the one count for the inbox, a project and the status. */
export function countWaiting({ items, left }: Inbox): number {
  return new Set(items.map(({ task }) => task.id)).size + left;
}

export function inboxCalls(http: HttpOptions) {
  return {
    list: (query: InboxQuery = {}) => ask<Inbox>(http, at.list, { query }),
  };
}

export const inboxRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list everything that waits for a person, with all that is needed to answer',
    access: ['viewer', 'visible'],
    answers: inboxAnswer,
    query: inboxQuery,
    act: async ({ workflow, query }) => done(await workflow.inbox(query)),
  }),
}));
