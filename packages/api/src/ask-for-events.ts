import type { PlatformEvent } from '@attractor/platform';
import { type RawEvent, readEvent } from '@attractor/store/types';
import type { Endpoint } from './endpoint.ts';
import type { Answer } from './failure.ts';
import { ask, type Call, type HttpOptions } from './http.ts';

export async function askForEvents(
  http: HttpOptions,
  endpoint: Endpoint,
  call: Call,
): Promise<Answer<ReadonlyArray<PlatformEvent>>> {
  const page = await ask<ReadonlyArray<RawEvent>>(http, endpoint, call);
  return page.ok ? { ...page, value: page.value.map(readEvent) } : page;
}
