import type { PlatformEvent } from '@attractor/platform';
import { type RawEvent, readEvent } from '@attractor/store/types';
import type { Answer } from './failure.ts';
import { get, type HttpOptions } from './http.ts';

export async function getEvents(http: HttpOptions, path: string): Promise<Answer<ReadonlyArray<PlatformEvent>>> {
  const page = await get<ReadonlyArray<RawEvent>>(http, path);
  return page.ok ? { ok: true, value: page.value.map(readEvent) } : page;
}
