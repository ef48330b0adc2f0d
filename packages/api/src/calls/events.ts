import { readFrames, type StreamFrame } from '../event-stream.ts';
import { eventRoutes, type EventQuery, type StreamQuery } from '../events.ts';
import type { Answer } from '../failure.ts';
import { open, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { getEvents } from './get-events.ts';

export function eventCalls(http: HttpOptions) {
  return {
    page: (query: EventQuery = {}) => getEvents(http, fillPath(eventRoutes.page, {}, query)),
    /** One connection; it ends when the server, the network or the signal ends it. Resume with the last `seq` as `after`. */
    stream: async (
      query: StreamQuery = {},
      signal?: AbortSignal,
    ): Promise<Answer<AsyncGenerator<StreamFrame, void>>> => {
      const path = fillPath(eventRoutes.stream, {}, query);
      const body = await open(http, { method: 'GET', path, ...(signal ? { signal } : {}) });
      return body.ok ? { ok: true, value: readFrames(body.value, signal) } : body;
    },
  };
}
