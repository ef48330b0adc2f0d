import type { NextStep } from '@attractor/platform';
import type { Endpoint } from './endpoint.ts';
import type { Answer } from './failure.ts';
import { ask, type HttpOptions } from './http.ts';

/** Does what a next step says. One that needs a terminal has no call: show its command. */
export function takeStep(http: HttpOptions, call: NonNullable<NextStep['call']>): Promise<Answer<unknown>> {
  const endpoint: Endpoint = `${call.method} /${call.path.replace(/^\//, '')}`;
  return ask<unknown>(http, endpoint, { body: call.body });
}
