import { ALL, OWN, type ToolRow } from '../row.ts';
import { FOLDERS, readsMany, searchesByName, searchesFolder } from '../touch.ts';

/** Searching and reading many files at once. */
export const FOLDER_TOOLS = {
  grep: {
    does: 'searches file contents',
    families: { anthropic: { asked: 'Grep' }, openai: OWN, gemini: { asked: 'search_file_content' } },
    foreign: ['grep_search'],
    use: 'look',
    touches: searchesFolder,
    rule: null,
    under: ['Read', 'Grep'],
    whereNothingChanges: 'promised',
    subject: ['pattern'],
    output: { chars: 20_000, keep: 'tail', lines: 200 },
  },
  glob: {
    does: 'finds files by name',
    families: { ...ALL, anthropic: { asked: 'Glob' } },
    use: 'look',
    touches: searchesByName,
    rule: null,
    under: ['Read'],
    whereNothingChanges: 'promised',
    subject: ['pattern'],
    output: { chars: 20_000, keep: 'tail', lines: 500 },
  },
  list_dir: {
    does: 'lists a folder',
    families: { anthropic: { always: 'LS' }, gemini: { asked: 'list_directory' } },
    use: 'look',
    touches: searchesFolder,
    rule: null,
    under: ['Read'],
    whereNothingChanges: 'promised',
    subject: FOLDERS,
  },
  read_many_files: {
    does: 'reads several files at once',
    families: { gemini: OWN },
    use: 'look',
    touches: readsMany,
    rule: 'Read',
    whereNothingChanges: 'promised',
    subject: [],
  },
} as const satisfies Readonly<Record<string, ToolRow>>;
