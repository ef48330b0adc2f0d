import type { PlatformEvent } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';

export const eventRoutes = {
  stream: '/api/events',
  page: '/api/events/page',
} as const;

const seq = () => z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const scope = () => ({
  after: seq().exactOptional(),
  taskId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  projectId: z.string().exactOptional(),
});

/** `only=tasks` leaves out what the list of tasks does not show: transcripts and live text. */
export const streamQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...scope(), only: z.enum(['tasks']).exactOptional() }),
);

export const eventQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...scope(), limit: z.coerce.number().int().min(1).max(1000).exactOptional() }),
);

export type StreamQuery = z.infer<ReturnType<typeof streamQuery>>;
export type EventQuery = z.infer<ReturnType<typeof eventQuery>>;

/**
 * Frames of the event stream. `event` has the log's `seq` as its id; `caught_up` and `closing` have the last `seq` that
 * was looked at; a `delta` has none, is never stored and is not told again.
 */
export const FRAME = { event: 'event', delta: 'delta', caughtUp: 'caught_up', closing: 'closing' } as const;

/** What the list of tasks needs of the log. */
export function concernsTaskList(event: PlatformEvent): boolean {
  if (event.type === 'agent.tool_use') return false;
  if (event.type !== 'agent.message') return true;
  const { message } = event.data;
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'usage';
}

export type { LiveDelta, PlatformEvent } from '@attractor/platform';
