import type { DirEntry, FileChange, GrepOptions, OperationOptions, WriteOptions } from '@attractor/files';
import type { Leaving, OutputReport } from '@attractor/system';

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

/**
 * `exitCode` is 128 + n if signal n ended the command or (as shells report it) the last program that it ran; `signal` then names the
 * signal.
 */
export type ExecResult = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly signal?: string;
  /** The shell's folder when it ended, relative to the root (`.` is the root itself). Absent if not requested, or unknown. */
  readonly workingDir?: string;
};

export type ExecOptions = OperationOptions & {
  readonly timeoutMs?: number;
  readonly workingDir?: string;
  readonly envVars?: Readonly<Record<string, string>>;
  /** Called with output as it arrives. Pieces may be joined or left out; the result has everything. */
  readonly onOutput?: OutputReport;
  /** Whoever waits may leave the command to go on by itself: its time limit no longer counts then. */
  readonly leaving?: Leaving;
  /** Report the folder that the shell was in when it ended. */
  readonly tellWorkingDir?: boolean;
  /** All that the command can read on stdin. Absent: stdin is empty. */
  readonly stdin?: string;
  /** It was judged as a command of the agent: where a person excluded it from the sandbox, it runs outside. */
  readonly mayLeaveSandbox?: true;
};

export type StartOptions = {
  readonly workingDir?: string;
  readonly envVars?: Readonly<Record<string, string>>;
  /** As in `ExecOptions`. */
  readonly mayLeaveSandbox?: true;
  /** `open`: the command reads from stdin what `write` is given. Absent: stdin is empty. */
  readonly input?: 'none' | 'open';
  /** All output, in order. The bytes may be reused as soon as this returns: copy what you keep. */
  readonly onOutput: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
};

/** `exitCode` and `signal` as in `ExecResult`. */
export type CommandEnd = { readonly exitCode: number; readonly signal?: string };

/** A command that runs in the background. It ends on its own, by `kill`, or with the environment's `cleanup`, and leaves no process behind. */
export type RunningCommand = {
  readonly pid: number;
  /** Ignored once the command has ended. */
  readonly write: (text: string) => void;
  /** Ends the command and everything it started: first with a polite signal, then by force. */
  readonly kill: () => Promise<CommandEnd>;
  /** Resolves when the command has ended and all of its output was delivered; never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** What the sandbox kept it from, one line each, by what it said; for a shell that runs several commands, of each. Absent: nothing did. */
  readonly explain?: (said: CommandEnd & Pick<ExecResult, 'stdout' | 'stderr'>) => Promise<ReadonlyArray<string>>;
};

/**
 * Where tools act. Paths resolve against `workingDirectory()`. A missing file, a refusal or an abort rejects with an `EnvironmentError`
 * whose message the model can act on; nothing is half written. `readFile` numbers its lines for the model (`offset` counts from 0); editors
 * use `readText`.
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
  /** Makes all the changes or none. A wrapper that forbids or records writes must cover this too. */
  readonly changeFiles?: (changes: ReadonlyArray<FileChange>, options?: OperationOptions) => Promise<void>;
  readonly fileExists: (path: string) => Promise<boolean>;
  /** Changes whenever the file's content is replaced or written; null when there is no file. */
  readonly fileVersion?: (path: string) => Promise<string | null>;
  readonly listDirectory: (path: string, depth?: number) => Promise<ReadonlyArray<DirEntry>>;
  readonly execCommand: ExecCommand;
  /** Starts a command and returns while it runs. Absent: this environment runs nothing in the background. */
  readonly startCommand?: (command: string, options: StartOptions) => Promise<RunningCommand>;
  readonly grep: (pattern: string, path: string, options?: GrepOptions) => Promise<string>;
  readonly glob: (pattern: string, path: string, options?: OperationOptions) => Promise<ReadonlyArray<string>>;
  /**
   * Why no tool can read, write or remove a path here, whatever anybody allows; null if one can. What is not there yet, or is no file, is no
   * reason. Absent: that is only known when it is tried.
   */
  readonly refuses?: (path: string, access: 'read' | 'write' | 'remove') => string | null;
  /** Why one change of all these files is refused; null if it is not. */
  readonly refusesTogether?: (paths: ReadonlyArray<string>) => string | null;
  readonly initialize: () => Promise<void>;
  readonly cleanup: () => Promise<void>;
  readonly workingDirectory: () => string;
  /** Further folders that tools may work in. Absent: none. */
  readonly furtherFolders?: () => ReadonlyArray<string>;
  /** What commands can't do here, in a few lines for a model. Absent: nothing is forbidden to them. */
  readonly limits?: () => string;
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
