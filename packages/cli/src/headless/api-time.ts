import type { Middleware } from '@attractor/llm';

/** How long models were waited for, all requests together. */
export type ApiTime = { readonly middleware: Middleware; readonly ms: () => number };

export function createApiTime(): ApiTime {
  let spent = 0;
  const middleware: Middleware = async function* (request, next) {
    const asked = performance.now();
    try {
      yield* next(request);
    } finally {
      spent += performance.now() - asked;
    }
  };
  return { middleware, ms: () => spent };
}
