import { OWN, type ToolRow } from '../row.ts';
import { PATHS, readsFile, writesFile } from '../touch.ts';

/** Files that are more than text. */
export const DOCUMENTS = {
  view_image: {
    does: 'shows an image',
    families: { openai: OWN },
    use: 'look',
    touches: readsFile,
    rule: 'Read',
    whereNothingChanges: 'promised',
    subject: PATHS,
    faceOf: 'read_file',
  },
  notebook_read: {
    does: 'shows the cells of a notebook',
    families: { anthropic: { always: 'NotebookRead' } },
    use: 'look',
    touches: readsFile,
    rule: 'Read',
    under: ['NotebookRead'],
    whereNothingChanges: 'promised',
    subject: PATHS,
  },
  notebook_edit: {
    does: 'changes, inserts or deletes a cell',
    families: { anthropic: { always: 'NotebookEdit' } },
    use: 'change',
    touches: writesFile,
    rule: 'NotebookEdit',
    under: ['Edit'],
    whereNothingChanges: 'promised',
    subject: PATHS,
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
