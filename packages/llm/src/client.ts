import type { ModelProvider } from './types/provider.ts';
import type { Request } from './types/request.ts';
import type { Response } from './types/response.ts';
import type { StreamEvent } from './types/stream.ts';

/** Wraps every exchange: the request goes in registration order, the events come back reversed. */
export type Middleware = (request: Request, next: (request: Request) => AsyncIterable<StreamEvent>) => AsyncIterable<StreamEvent>;

/**
 * One door to every model. Stateless between requests, safe for concurrent use.
 * `stream` retries before the first output only and ends with FINISH or ERROR; `complete` is the same stream collected, and rejects with `LlmError`.
 */
export type Client = {
  readonly stream: (request: Request) => AsyncIterable<StreamEvent>;
  readonly complete: (request: Request) => Promise<Response>;
  readonly provider: (id?: string) => Promise<ModelProvider>;
  readonly close: () => Promise<void>;
};
