import { ALL, OWN, type ToolRow } from '../row.ts';
import { shownEdit, shownPatch, shownWrite } from '../shown-arguments.ts';
import { patchesFiles, PATHS, readsFile, writesFile } from '../touch.ts';

/** Reading and changing one file, or several by a patch. */
export const FILES = {
  read_file: {
    does: 'reads text, images, the text of PDFs, notebooks',
    families: { ...ALL, anthropic: { asked: 'Read' } },
    use: 'look',
    touches: readsFile,
    rule: 'Read',
    whereNothingChanges: 'promised',
    subject: PATHS,
    output: { chars: 50_000, keep: 'head_tail', lines: null },
  },
  write_file: {
    does: 'writes a whole file',
    families: { ...ALL, anthropic: { asked: 'Write' } },
    use: 'change',
    touches: writesFile,
    rule: 'Write',
    under: ['Edit'],
    whereNothingChanges: 'promised',
    subject: PATHS,
    output: { chars: 1_000, keep: 'tail' },
    shown: shownWrite,
  },
  edit_file: {
    does: 'replaces exact text',
    families: { anthropic: { asked: 'Edit' }, gemini: { asked: 'replace' } },
    use: 'change',
    touches: writesFile,
    rule: 'Edit',
    under: ['MultiEdit'],
    whereNothingChanges: 'promised',
    subject: PATHS,
    output: { chars: 10_000, keep: 'tail', lines: null },
    shown: shownEdit,
  },
  multi_edit: {
    does: 'several replacements in one file, all or none',
    families: { anthropic: { always: 'MultiEdit' } },
    use: 'change',
    touches: writesFile,
    rule: 'MultiEdit',
    under: ['Edit'],
    whereNothingChanges: 'promised',
    subject: PATHS,
  },
  apply_patch: {
    does: 'patches many files, all or nothing',
    families: { openai: OWN },
    use: 'change',
    touches: patchesFiles,
    rule: 'Edit',
    under: ['MultiEdit'],
    whereNothingChanges: 'promised',
    subject: [],
    output: { chars: 10_000, keep: 'tail' },
    shown: shownPatch,
    hookedAs: ['Edit', 'Write'],
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
