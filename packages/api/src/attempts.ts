import { z } from 'zod';
import { once } from './once.ts';
import type { AttemptGroup } from '@attractor/platform';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const attemptRoutes = {
  ofTask: '/api/tasks/:id/attempts',
  one: '/api/attempts/:id',
  cancel: '/api/attempts/:id/cancel',
} as const;

/** One attempt for each entry of `attempts`, or `n` alike. */
export const attemptsBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    mode: z.enum(['plan', 'implement', 'review', 'investigate', 'design']).exactOptional(),
    attempts: z
      .array(z.strictObject({ agentType: z.string().min(1).exactOptional(), model: z.string().min(1).exactOptional() }))
      .min(2)
      .max(10)
      .readonly()
      .exactOptional(),
    n: z.number().int().min(2).max(10).exactOptional(),
  }),
);

export type AttemptsBody = z.infer<ReturnType<typeof attemptsBody>>;

export type { AttemptGroup } from '@attractor/platform';

export function attemptCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<ReadonlyArray<AttemptGroup>>(http, fillPath(attemptRoutes.ofTask, { id: taskId })),
    start: (taskId: string, body: AttemptsBody) =>
      post<AttemptGroup>(http, fillPath(attemptRoutes.ofTask, { id: taskId }), body),
    get: (id: string) => get<AttemptGroup>(http, fillPath(attemptRoutes.one, { id })),
    cancel: (id: string) => post<AttemptGroup>(http, fillPath(attemptRoutes.cancel, { id })),
  };
}
