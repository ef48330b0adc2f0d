import type { FetchLike } from '@modelcontextprotocol/client';

/** The limit for one answer, or for one event of an event stream. */
const MAX_BYTES = 32 << 20;

/** A fetch whose answers can't fill the memory: a larger answer, or a larger event, is aborted. */
export function boundedFetch(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const body = response.body.pipeThrough(bound(isEvents));
    const { status, statusText, headers } = response;
    const bounded = new Response(body, { status, statusText, headers });
    Object.defineProperty(bounded, 'url', { value: response.url });
    return bounded;
  };
}

const NEWLINE = 10;

/** For events it counts from the last empty line, which ends each of them. */
function bound(isEvents: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      const end = isEvents ? lastEmptyLine(chunk) : -1;
      size = end < 0 ? size + chunk.length : chunk.length - end;
      if (size > MAX_BYTES) controller.error(new Error(`an answer of more than ${MAX_BYTES >> 20} MiB was not taken`));
      else controller.enqueue(chunk);
    },
  });
}

function lastEmptyLine(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    if (chunk[at] === NEWLINE && (chunk[at - 1] === NEWLINE || chunk[at - 2] === NEWLINE)) return at;
  }
  return -1;
}
