import { askText, choose, showNote } from '../terminal/questions.ts';
import type { ApprovalTerminal } from './tool-approval.ts';

/** The person's own terminal. */
export const OWN_TERMINAL: ApprovalTerminal = {
  note: showNote,
  choose,
  text: (message, initial) => askText({ message, initial }),
};
