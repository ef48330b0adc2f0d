import { once } from '@attractor/base';
import { z } from 'zod';
import { FAILURE_STATUS } from '../failure.ts';
import type { HttpRoute, Route } from '../route.ts';

const CODES = Object.keys(FAILURE_STATUS) as [keyof typeof FAILURE_STATUS, ...Array<keyof typeof FAILURE_STATUS>];

/** The one shape of everything that is refused or fails. */
export const failureAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      error: z.strictObject({
        code: z.enum(CODES).meta({ description: 'Which kind of failure it is. Later versions may have further ones.' }),
        message: z.string().meta({ description: 'What went wrong and what to do about it, for a person.' }),
        retryable: z.boolean().meta({ description: 'Whether the same call may succeed later.' }),
        detail: z.unknown().exactOptional(),
      }),
    })
    .meta({ id: 'Failure' }),
);

/** What each status says, wherever it comes. */
export const FAILURES = {
  400: 'The query or the body is not as described; the message names every place.',
  401: 'No valid token, key or session was sent.',
  403: 'The caller may not do this, or the call comes through a foreign host name or page.',
  404: 'There is no such thing.',
  409: 'It does not fit how things stand; `detail` says how they do, where that is known.',
  413: 'The body is too large.',
  415: 'The body has another content type than described, or is compressed.',
  422: 'The call is understood, but what it asks for is not possible.',
  429: 'Too many failed sign-ins; `Retry-After` says when to try again.',
  500: 'The server failed.',
  503: 'Something that is needed can not be reached just now.',
} as const;

export type FailureStatus = keyof typeof FAILURES;

/** Everything that a route may answer instead of its value. */
export function failuresOf(route: Route | HttpRoute, isOpen: boolean): ReadonlyArray<FailureStatus> {
  const isRead = route.method === 'GET';
  const takesKey = route.method === 'POST' && route.act !== null;
  const reads = takesKey || route.query !== undefined || route.body !== undefined || route.path.includes(':');
  const set = new Set<FailureStatus>([403, 500, 503]);
  if (reads || route.statuses !== undefined) set.add(400);
  if (!isRead) for (const status of [413, 415] as const) set.add(status);
  if (!isOpen || reads) for (const status of [401, 404, 409, 422, 429] as const) set.add(status);
  return [...set].toSorted((a, b) => a - b);
}
