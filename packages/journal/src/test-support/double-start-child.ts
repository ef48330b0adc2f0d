/* A program for tests: opens the given journals, prints the results, and holds them until it is told to release them. */
import { JournalError } from '../journal/error.ts';
import { openJournal, type FileJournal } from '../journal/file-journal.ts';

let held: FileJournal | null = null;

process.on('message', (order: { readonly open?: string }) => {
  if (order.open === undefined) {
    held?.close();
    held = null;
    process.send?.('free');
    return;
  }
  try {
    held = openJournal(order.open);
    process.send?.('won');
  } catch (error) {
    process.send?.(error instanceof JournalError ? error.code : String(error));
  }
});
process.send?.('ready');
