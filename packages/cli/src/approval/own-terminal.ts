import { askText, choose, showNote } from '../terminal/questions.ts';
import type { ApprovalTerminal } from './tool-approval.ts';

/** The person's own terminal. When `signal` is aborted its question disappears, as if it were postponed. */
export function ownTerminal(signal?: AbortSignal): ApprovalTerminal {
  return {
    note: showNote,
    choose: (message, options) => choose(message, options, signal),
    text: (message, initial) => askText({ message, initial, signal }),
  };
}
