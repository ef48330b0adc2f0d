import type { Middleware } from './middleware.ts';
import type { StreamEvent } from './types/stream.ts';

/** What another model may answer although this one does not. */
const OVERLOADED: ReadonlySet<string> = new Set(['overloaded', 'rate_limit', 'server', 'not_found', 'timeout']);

/**
 * Asks the next model when one is overloaded or not there, after its retries and before it has said anything. Every request begins with the
 * model it names, so that an outage demotes nothing for good.
 */
export function fallBackTo(models: ReadonlyArray<string>): Middleware {
  return async function* fallBack(request, next) {
    for (const [at, model] of [request.model, ...models].entries()) {
      const isLast = at === models.length;
      const failed = yield* heard(next(at === 0 ? request : { ...request, model }), isLast);
      if (!failed) return;
    }
  };
}

/** True if nothing came but a failure that another model may not have; then nothing was passed on. */
async function* heard(events: AsyncIterable<StreamEvent>, isLast: boolean): AsyncGenerator<StreamEvent, boolean> {
  let start: StreamEvent | null = null;
  for await (const event of events) {
    if (event.kind === 'STREAM_START' && !isLast) {
      start = event;
      continue;
    }
    if (event.kind === 'ERROR' && start !== null && OVERLOADED.has(event.error.code)) return true;
    if (start !== null) yield start;
    start = null;
    yield event;
  }
  return false;
}
