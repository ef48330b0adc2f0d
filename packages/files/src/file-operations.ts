/** What every operation takes. */
export type OperationOptions = { readonly signal?: AbortSignal };

/** An entry of a folder; `size` in bytes, null of what has none. */
export type DirEntry = { readonly name: string; readonly isDir: boolean; readonly size: number | null };

/** `content`: lines that match; `files`: the paths of files with a match; `count`: `path:n`, how many lines match (occurrences, if multiline). */
export type GrepOutput = 'content' | 'files' | 'count';

/** A matching line; `file` is its path from the working directory. */
export type GrepMatch = { readonly file: string; readonly line: number; readonly text: string };

/** How to search; absent fields leave it at the default of ripgrep. */
export type GrepOptions = {
  readonly caseSensitive?: boolean;
  readonly maxResults?: number;
  readonly includePattern?: string;
  /** Before and after each match; `linesBefore` and `linesAfter` win over it. */
  readonly contextLines?: number;
  readonly linesBefore?: number;
  readonly linesAfter?: number;
  /** Absent: `content`. */
  readonly output?: GrepOutput;
  /** Only the matching part of each line, one a line; lines around are not shown then. */
  readonly onlyMatching?: boolean;
  /** A match may go over line ends, and `.` matches them. */
  readonly multiline?: boolean;
  /** Only files of this kind, by ripgrep's names (`ts`, `py`, `md` …). */
  readonly fileType?: string;
  /** Files of which nothing is shown, in no kind of output. Asked with paths from the working directory. */
  readonly leaveOut?: (file: string) => boolean;
  /** Given each matching line that is shown, in order, for whoever needs more than text. Not called for names of files and counts. */
  readonly onMatch?: (match: GrepMatch) => void;
  /** Without line numbers: `path:text`. */
  readonly withoutNumbers?: boolean;
  readonly signal?: AbortSignal;
};

/** `expectedVersion`: the file is written only if `fileVersion` still gives this. */
export type WriteOptions = OperationOptions & { readonly expectedVersion?: string };

/**
 * One file of a change over many. `expectedVersion`: as in `WriteOptions`; null: nothing may be there yet.
 * A moved file keeps mode and owner, and its content when `content` is null; nothing is moved onto an existing file.
 */
export type FileChange =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly content: string;
      readonly expectedVersion?: string | null;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly expectedVersion?: string }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly to: string;
      readonly content: string | null;
      readonly expectedVersion?: string;
    };
