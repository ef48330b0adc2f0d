import { defined, once } from '@attractor/base';
import type { PlatformEvent } from '@attractor/platform';
import { EVENT_CATEGORIES, EVENT_LEVELS } from '@attractor/store/types';
import { z } from 'zod';
import { eventAnswer } from './answers/event.ts';
import { list } from './answers/shape.ts';
import { askForEvents } from './ask-for-events.ts';
import { readFrames, type StreamFrame } from './event-stream.ts';
import type { Answer } from './failure.ts';
import { open, type HttpOptions } from './http.ts';
import { firstOf } from './listed.ts';
import { httpRoute, route } from './route.ts';

const at = { page: 'GET /api/events/page', stream: 'GET /api/events' } as const;

const seq = () => z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const scope = () => ({
  after: seq().exactOptional(),
  taskId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  projectId: z.string().exactOptional(),
});

/** Words separated by commas. */
const listOf = <Word extends string>(words: ReadonlyArray<Word>) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(words)));

/** `only` leaves out what the list of tasks does not show (transcripts and live text), or what changes nothing in the inbox. */
export const streamQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...scope(), only: z.enum(['tasks', 'inbox']).exactOptional() }),
);

const eventQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    ...scope(),
    category: listOf(EVENT_CATEGORIES).exactOptional(),
    level: listOf(EVENT_LEVELS).exactOptional(),
    type: z
      .string()
      .transform((text) => text.split(','))
      .exactOptional(),
    actorType: z.enum(['user', 'agent', 'system', 'supervisor']).exactOptional(),
    since: z.iso.datetime({ offset: true }).exactOptional(),
    until: z.iso.datetime({ offset: true }).exactOptional(),
    search: z.string().max(200).exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
    offset: z.coerce.number().int().min(0).exactOptional(),
    from: z.enum(['oldest', 'newest']).exactOptional(),
  }),
);

const STREAM =
  'Frames of the log. `event`: one thing that happened, with its number as the id. `delta`: live text of an agent, never stored. ' +
  '`caught_up`: all that was stored has been sent. `closing`: the server stops; connect again with `Last-Event-ID` and nothing is missed.';

export type StreamQuery = z.infer<ReturnType<typeof streamQuery>>;

/** Lists are written with commas: `level=warning,error`. */
export type EventQuery = Omit<z.infer<ReturnType<typeof eventQuery>>, 'category' | 'level' | 'type'> & {
  readonly category?: string;
  readonly level?: string;
  readonly type?: string;
};

/** What the list of tasks needs from the log. */
export function concernsTaskList(event: PlatformEvent): boolean {
  if (event.type === 'agent.tool_use') return false;
  return event.type !== 'agent.message' || event.data.message.kind === 'usage';
}

/** What can change who has to do something: all but an agent's own work, and what people write down. */
export function concernsInbox({ type, level }: PlatformEvent): boolean {
  return level !== 'debug' && !OUTSIDE_INBOX.has(type);
}

const OUTSIDE_INBOX: ReadonlySet<string> = new Set([
  'agent.message',
  'run.check_finished',
  'run.setup_finished',
  'note.added',
  'attachment.added',
  'attachment.removed',
  'message.sent',
  'message.delivered',
]);

export type { LiveDelta, PlatformEvent } from '@attractor/platform';

export function eventCalls(http: HttpOptions) {
  return {
    page: (query: EventQuery = {}) => askForEvents(http, at.page, { query }),
    /** One connection; it ends when the server, the network or the signal ends it. Resume with the last `seq` as `after`. */
    stream: async (
      query: StreamQuery = {},
      signal?: AbortSignal,
    ): Promise<Answer<AsyncGenerator<StreamFrame, void>>> => {
      const body = await open(http, at.stream, { query, ...defined({ signal }) });
      return body.ok ? { ok: true, value: readFrames(body.value, signal) } : body;
    },
  };
}

const LISTED = 200;

export const eventRoutes = /* @__PURE__ */ once(() => ({
  page: route(at.page, {
    about: 'read a page of the log',
    access: ['viewer', 'visible'],
    answers: () => list(eventAnswer()),
    query: eventQuery,
    act: async ({ workflow, query }) => {
      const limit = query.limit ?? LISTED;
      const events = await workflow.events({ ...query, limit: limit + 1 });
      // One more was read than is wanted: of the newest, the oldest of them.
      return query.from === 'newest' && events.length > limit
        ? { ok: true, value: events.slice(1), left: 'some' }
        : firstOf(events, limit);
    },
  }),
  stream: httpRoute(at.stream, {
    about: 'follow the log as server-sent events',
    access: ['viewer', 'visible'],
    answers: { mediaType: 'text/event-stream', about: STREAM },
    query: streamQuery,
  }),
}));
