import type { Failure } from '@attractor/base';
import { LockHeld } from '@attractor/system';

/** An open enum: an unknown code is accepted. */
export type UndoFailureCode =
  | 'locked'
  | 'no_git'
  | 'no_space'
  | 'permission'
  | 'timeout'
  | 'aborted'
  | 'unknown_target'
  | 'nothing_to_redo'
  | 'other_file_system'
  | 'damaged'
  | 'closed'
  | 'failed'
  | (string & {});

/** Why something could not be undone, or stored for undoing. The message says what to do. */
export type UndoFailure = Failure<UndoFailureCode>;

/** The same as an error, until the one place that turns it into a value. */
export class UndoError extends Error {
  override readonly name = 'UndoError';
  readonly code: UndoFailureCode;

  constructor(code: UndoFailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

const RETRYABLE = new Set<string>(['locked', 'no_space', 'timeout', 'aborted']);

const ERRNO: Readonly<Record<string, readonly [UndoFailureCode, string]>> = {
  ENOSPC: ['no_space', 'the disk is full: free some space, then try again'],
  EDQUOT: ['no_space', 'the disk quota is used up: free some space, then try again'],
  EROFS: ['permission', 'the file system is read-only'],
  EACCES: ['permission', 'permission denied: change the permissions, then try again'],
  EPERM: ['permission', 'operation not permitted'],
  EXDEV: ['other_file_system', 'a folder of the workspace lies on another file system; nothing was changed'],
};

export function failureOf(error: unknown): UndoFailure {
  if (error instanceof UndoError) return failure(error.code, error.message);
  if (error instanceof LockHeld) {
    return failure('locked', 'Another process keeps snapshots of this session: end it, then try again.');
  }
  const [code, text] = ERRNO[errnoOf(error)] ?? (['failed', String(error)] as const);
  const where = error instanceof Error && 'path' in error ? ` (${String(error.path)})` : '';
  return failure(code, `Undo is not possible: ${text}${where}.`);
}

/** The system's error code (`ENOENT`), or nothing. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function failure(code: UndoFailureCode, message: string): UndoFailure {
  return { code, message, retryable: RETRYABLE.has(code) };
}
