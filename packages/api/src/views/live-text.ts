import type { PlatformEvent } from '@attractor/platform';
import { type LiveText, settleLive } from '@attractor/store/types';
import { carriedMessage } from './carried.ts';

export { foldDelta, type LiveText, NO_LIVE_TEXT } from '@attractor/store/types';

/** Removes what an event has just reported in full. */
export function settleLiveText(live: LiveText, event: PlatformEvent): LiveText {
  const message = carriedMessage(event);
  return message === null ? live : settleLive(live, message);
}
