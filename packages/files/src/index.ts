export { changeFiles } from './change/change-files.ts';
export { recoverInterrupted } from './change/change-record.ts';
export { type CellEdit, editCells } from './edit-cells.ts';
export { versionOf } from './change/file-version.ts';
export { type Span, spansOf } from './change/json-spans.ts';
export { deleteOne, writeWhole } from './change/write.ts';
export type {
  DirEntry,
  FileChange,
  GrepMatch,
  GrepOptions,
  GrepOutput,
  OperationOptions,
  WriteOptions,
} from './file-operations.ts';
export { openOwnNotes, type OwnNotes } from './notes/own-notes.ts';
export { withOpenFile } from './read/open-file.ts';
export { joined, parseNotebook, placeOf, type Cell, type Json, type Notebook } from './read/notebook.ts';
export { numberLines, readNumberedLines } from './read/read-lines.ts';
export { readWholeBytes, readWholeText } from './read/read-raw.ts';
export { globFiles } from './search/glob.ts';
export { grepFiles } from './search/grep.ts';
export { isIgnored, parseIgnoreFile, type IgnoreFile } from './search/ignore-rules.ts';
export { listEntries } from './search/list.ts';
