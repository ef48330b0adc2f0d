import type { DirEntry, FileChange, GrepOptions, OperationOptions, WriteOptions } from '@attractor/files';

export { EnvironmentError, type EnvironmentErrorCode } from '@attractor/system';
export type { EnvVarPolicy } from '@attractor/system';
export type {
  DirEntry,
  FileChange,
  GrepMatch,
  GrepOptions,
  GrepOutput,
  OperationOptions,
  WriteOptions,
} from '@attractor/files';

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
