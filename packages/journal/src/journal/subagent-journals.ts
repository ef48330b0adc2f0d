import path from 'node:path';
import { openJournal, type FileJournal } from './file-journal.ts';

/** The journals of a session's subagents, in a folder beside its own: `a/s.jsonl` → `a/s.subagents/<child>.jsonl`. For `journalFor`. */
export function journalsBeside(file: string): (childSessionId: string) => FileJournal {
  return (childSessionId) => openJournal(subagentJournal(file, childSessionId));
}

export function subagentsFolder(file: string): string {
  return path.join(path.dirname(file), `${path.basename(file, path.extname(file))}.subagents`);
}

export function subagentJournal(file: string, childSessionId: string): string {
  return path.join(subagentsFolder(file), `${childSessionId.replaceAll(/[^\w-]/g, '_')}.jsonl`);
}
