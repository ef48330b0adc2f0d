import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';

export type RequestCount = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
};

/** Answers by route and status. Bounded: by the routes there are, not by the addresses that are asked for. */
export function createRequestCounts(): {
  readonly note: MiddlewareHandler;
  readonly all: () => ReadonlyArray<RequestCount>;
} {
  const counts = new Map<string, RequestCount>();
  return {
    note: async (context, next) => {
      await next();
      const { status } = context.res;
      const route = matchedRoutes(context).findLast(({ path }) => !path.includes('*'))?.path ?? 'other';
      const method = route === 'other' ? 'any' : context.req.method;
      const name = `${method} ${route} ${status}`;
      counts.set(name, { method, route, status, count: (counts.get(name)?.count ?? 0) + 1 });
    },
    all: () => [...counts.values()],
  };
}
