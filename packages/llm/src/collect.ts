import { LlmError } from './types/error.ts';
import type { Response } from './types/response.ts';
import type { StreamEvent } from './types/stream.ts';

/** Reads a stream to its end. Rejects with the stream's `LlmError`; a stream without an end is a broken one. */
export async function collect(events: AsyncIterable<StreamEvent>): Promise<Response> {
  for await (const event of events) {
    if (event.kind === 'FINISH') return event.response;
    if (event.kind === 'ERROR') throw event.error;
  }
  throw new LlmError({
    code: 'stream',
    message: 'The stream of events ended with neither FINISH nor ERROR. Ask again.',
    retryable: true,
  });
}
