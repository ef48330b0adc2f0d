/** What every operation takes. */
export type OperationOptions = { readonly signal?: AbortSignal };

/** An entry of a folder; `size` in bytes, null if it has none. */
export type DirEntry = { readonly name: string; readonly isDir: boolean; readonly size: number | null };

/**
 * `content`: matching lines; `files`: the paths of files with a match; `count`: `path:n`, how many lines match (occurrences, if multiline).
 */
export type GrepOutput = 'content' | 'files' | 'count';

/** A matching line; `file` is its path from the working directory. */
export type GrepMatch = { readonly file: string; readonly line: number; readonly text: string };

/** How to search; absent fields use ripgrep's defaults. */
export type GrepOptions = {
  readonly caseSensitive?: boolean;
  readonly maxResults?: number;
  readonly includePattern?: string;
  /** Before and after each match; `linesBefore` and `linesAfter` override it. */
  readonly contextLines?: number;
  readonly linesBefore?: number;
  readonly linesAfter?: number;
  /** Absent: `content`. */
  readonly output?: GrepOutput;
  /** Only the matching part of each line, one per line; context lines are not shown then. */
  readonly onlyMatching?: boolean;
  /** A match may span lines, and `.` matches line endings. */
  readonly multiline?: boolean;
  /** Only files of this type, by ripgrep's names (`ts`, `py`, `md` …). */
  readonly fileType?: string;
  /** Files that are never shown, in any output. Called with paths from the working directory. */
  readonly leaveOut?: (file: string) => boolean;
  /**
   * Called with each matching line that is shown, in order, for callers that need more than text. Not called for names of files and counts.
   */
  readonly onMatch?: (match: GrepMatch) => void;
  /** Without line numbers: `path:text`. */
  readonly withoutNumbers?: boolean;
  readonly signal?: AbortSignal;
};

/** `expectedVersion`: the file is written only if `fileVersion` is still this. */
export type WriteOptions = OperationOptions & { readonly expectedVersion?: string };

/**
 * One file of a change to many. `expectedVersion`: as in `WriteOptions`; null: nothing may exist yet. A moved file keeps mode and owner,
 * and its content if `content` is null; nothing is moved onto an existing file.
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
