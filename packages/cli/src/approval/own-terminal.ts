import { askText, choose, chooseByKey, type KeyedChoice, showNote } from '@attractor/console';
import type { ApprovalTerminal, Choice } from './tool-approval.ts';

/** The person's own terminal. When `signal` is aborted its question disappears, as if it were postponed. */
export function ownTerminal(signal?: AbortSignal, edit?: ApprovalTerminal['edit']): ApprovalTerminal {
  return {
    note: showNote,
    choose: (message, options) =>
      options.every(isKeyed) ? chooseByKey(message, options, signal) : choose(message, options, signal),
    text: (message, initial) => askText({ message, initial, signal }),
    ...(edit === undefined ? {} : { edit }),
  };
}

function isKeyed(choice: Choice): choice is KeyedChoice {
  return choice.key !== undefined;
}
