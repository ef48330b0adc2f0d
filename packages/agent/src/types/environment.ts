/** `exitCode` is 128 + n when signal n ended the command, or, as shells say it, what the command ran last; `signal` then names it. */
export type ExecResult = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly signal?: string;
  /** Where the shell was when it ended, relative to the root, `.` for the root itself; absent: not asked for, or not known. */
  readonly workingDir?: string;
};

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

/** `inherit_core` (default): only the named core variables. `inherit_all`: everything but the sensitive suffixes. `inherit_none`: only what the caller passes. */
export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none';

/** What every operation takes. */
export type OperationOptions = { readonly signal?: AbortSignal };

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

export type ExecOptions = OperationOptions & {
  readonly timeoutMs?: number;
  readonly workingDir?: string;
  readonly envVars?: Readonly<Record<string, string>>;
  /** Called with text as it arrives; coalesced, may be cut, never needed for the result. */
  readonly onOutput?: (text: string) => void;
  /** Say where the shell was when it ended. */
  readonly tellWorkingDir?: boolean;
  /** What it reads from its input, whole. Absent: it has no input. */
  readonly stdin?: string;
};

export type StartOptions = {
  readonly workingDir?: string;
  readonly envVars?: Readonly<Record<string, string>>;
  /** `open`: it reads what `write` gives it. Absent: it has no input. */
  readonly input?: 'none' | 'open';
  /** All that it prints, in order; the bytes belong to the caller only until this returns. */
  readonly onOutput: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
};

/** `exitCode` and `signal` as in `ExecResult`. */
export type CommandEnd = { readonly exitCode: number; readonly signal?: string };

/** A command that runs beside the conversation. It ends by itself, by `kill`, or with the environment's `cleanup`, and leaves nothing running. */
export type RunningCommand = {
  readonly pid: number;
  /** Dropped once it has ended. */
  readonly write: (text: string) => void;
  /** Ends it and all that it started: politely, then not. */
  readonly kill: () => Promise<CommandEnd>;
  /** Resolves when it is over and its output was given; never rejects. */
  readonly ended: Promise<CommandEnd>;
};

/**
 * Where tools act. Paths resolve against `workingDirectory()`. A missing file, a refusal or an abort rejects with an
 * `EnvironmentError` whose message the model can act on; nothing is half written.
 * `readFile` numbers its lines for the model (`offset` counts from 0); editors use `readText`.
 */
export type ExecutionEnvironment = {
  readonly readFile: (
    path: string,
    ...range: [offset?: number, limit?: number, options?: OperationOptions]
  ) => Promise<string>;
  readonly readText: (path: string, options?: OperationOptions) => Promise<string>;
  readonly readBytes: (path: string, options?: OperationOptions) => Promise<Uint8Array>;
  readonly writeFile: (path: string, content: string, options?: WriteOptions) => Promise<void>;
  readonly deleteFile: (path: string, options?: OperationOptions) => Promise<void>;
  /** Makes all the changes or none of them. A wrapper that forbids or records writes must cover this too. */
  readonly changeFiles?: (changes: ReadonlyArray<FileChange>, options?: OperationOptions) => Promise<void>;
  readonly fileExists: (path: string) => Promise<boolean>;
  /** Changes whenever the file's content is replaced or written; null when there is no file. */
  readonly fileVersion?: (path: string) => Promise<string | null>;
  readonly listDirectory: (path: string, depth?: number) => Promise<ReadonlyArray<DirEntry>>;
  readonly execCommand: ExecCommand;
  /** Starts a command and returns while it runs. Absent: nothing runs in the background here. */
  readonly startCommand?: (command: string, options: StartOptions) => Promise<RunningCommand>;
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>;
  readonly glob: (pattern: string, path: string, options?: OperationOptions) => Promise<ReadonlyArray<string>>;
  readonly initialize: () => Promise<void>;
  readonly cleanup: () => Promise<void>;
  readonly workingDirectory: () => string;
  readonly platform: () => string;
  readonly osVersion: () => string;
};

/** The options form is ours; the positional form stays callable. */
export type ExecCommand = {
  (command: string, options: ExecOptions): Promise<ExecResult>;
  (
    command: string,
    timeoutMs?: number,
    ...place: [workingDir?: string, envVars?: Readonly<Record<string, string>>]
  ): Promise<ExecResult>;
};

/** Open: an unknown word still passes. */
export type EnvironmentErrorCode =
  | 'not_found'
  | 'not_a_file'
  | 'not_a_directory'
  | 'outside'
  | 'protected'
  | 'invalid_path'
  | 'invalid_pattern'
  | 'out_of_range'
  | 'binary'
  | 'too_large'
  | 'permission'
  | 'no_space'
  | 'read_only'
  | 'changed'
  | 'aborted'
  | 'failed'
  | (string & {});

/** Why an operation was not done. The message is for the model and for people: it says what to do instead. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly code: EnvironmentErrorCode;
  readonly retryable: boolean;

  constructor(detail: {
    readonly code: EnvironmentErrorCode;
    readonly message: string;
    readonly retryable?: boolean;
    readonly cause?: unknown;
  }) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = detail.code;
    this.retryable = detail.retryable ?? false;
  }
}
