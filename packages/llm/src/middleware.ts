import type { Request } from './types/request.ts';
import type { StreamEvent } from './types/stream.ts';

/** Wraps every exchange: the request goes through in registration order, the events come back in reverse. */
export type Middleware = (
  request: Request,
  next: (request: Request) => AsyncIterable<StreamEvent>,
) => AsyncIterable<StreamEvent>;

type Exchange = (request: Request) => AsyncIterable<StreamEvent>;

export function compose(middleware: ReadonlyArray<Middleware>, last: Exchange): Exchange {
  return middleware.reduceRight<Exchange>((next, wrap) => (request) => wrap(request, next), last);
}
