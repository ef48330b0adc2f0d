import { existsSync, readdirSync } from 'node:fs';
import { codeOf } from '@attractor/system';
import { subagentJournal, subagentsFolder } from '../journal/subagent-journals.ts';

const NAME = /^[\w-]{1,128}$/;
const END = '.jsonl';

/** Names of subagents' journals are names of files: no dots, no separators. */
export function isSubagentName(name: string): boolean {
  return NAME.test(name);
}

/** The subagents whose journals are beside that of their session, in order of name. */
export function subagentNames(journal: string): ReadonlyArray<string> {
  try {
    return readdirSync(subagentsFolder(journal))
      .filter((file) => file.endsWith(END))
      .map((file) => file.slice(0, -END.length))
      .filter(isSubagentName)
      .toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A session's own journal and those of its subagents, as far as there are any. */
export function journalFiles(journal: string): ReadonlyArray<{ readonly name: string; readonly file: string }> {
  const own = existsSync(journal) ? [{ name: 'session', file: journal }] : [];
  return [...own, ...subagentNames(journal).map((name) => ({ name, file: subagentJournal(journal, name) }))];
}
