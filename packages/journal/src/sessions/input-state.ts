import type { JournalRecord } from '../journal/journal.ts';
import { eventOf } from '../journal/read-event.ts';

/** Whether an input was accepted and not finished, after the records seen so far. */
export type InputState = { readonly see: (record: JournalRecord) => void; readonly isOpen: () => boolean };

export function inputState(): InputState {
  let open = false;
  return {
    see: (record) => {
      const event = eventOf(record);
      if (event?.kind === 'USER_INPUT' || event?.kind === 'COMMAND_INPUT') open = true;
      if (event?.kind === 'PROCESSING_END') open = false;
      if (event?.kind === 'SESSION_END' && event.reason === 'aborted') open = false;
    },
    isOpen: () => open,
  };
}
