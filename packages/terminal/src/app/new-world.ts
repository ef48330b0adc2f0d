import type { World } from '../converse/world.ts';
import { NOTHING_WRITTEN } from '../editor/editing.ts';

/** Nothing was said, nothing is asked, and the agent is not loaded. */
export function newWorld(): World {
  return {
    editing: NOTHING_WRITTEN,
    browsing: null,
    searching: null,
    completion: null,
    panel: null,
    panelFor: null,
    loaded: null,
    early: [],
    left: [],
    status: null,
    hint: '',
    onViMode: null,
    lastKeyAt: 0,
    lastStopAt: 0,
    lastEscapeAt: 0,
    ran: [],
    running: null,
    isUnfinished: false,
    first: '',
  };
}
