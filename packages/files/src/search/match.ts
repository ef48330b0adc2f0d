import type { GrepOptions } from '../file-operations.ts';

/** A search inside the root: `target` is a contained path relative to it, '' for the root itself. */
export type GrepQuery = {
  readonly root: string;
  readonly pattern: string;
  readonly target: string;
  readonly isFolder: boolean;
  readonly options: GrepOptions;
};

/** `file` is relative to the root. For counts there is one match per file, and `line` is the count. */
export type Match = {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isContext: boolean;
};
