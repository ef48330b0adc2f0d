import { codeOf, LockHeld } from '@attractor/system';

export type JournalErrorCode = 'locked' | 'no_space' | 'permission' | 'closed' | 'too_large' | 'failed';

/** Why a journal can't be opened or written; a value that can also be thrown. The message says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;
  readonly retryable: boolean;

  constructor(code: JournalErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = code === 'locked' || code === 'no_space';
  }
}

const ERRNO: Readonly<Record<string, readonly [JournalErrorCode, string]>> = {
  ENOSPC: ['no_space', 'the disk is full: free some space'],
  EDQUOT: ['no_space', 'the disk quota is used up: free some space'],
  EROFS: ['permission', 'the file system is read-only: choose another folder'],
  EACCES: ['permission', 'permission denied: choose another folder or change its permissions'],
  EPERM: ['permission', 'operation not permitted: choose another folder'],
  EMFILE: ['failed', 'this process has too many files open: close some or raise the limit (ulimit -n)'],
  ENFILE: ['failed', 'the system has too many files open: end some programs'],
};

export function journalError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof JournalError) return error;
  if (error instanceof LockHeld) return new JournalError('locked', error.message, error);
  const [kind, text] = ERRNO[codeOf(error)] ?? (['failed', error.message] as const);
  return new JournalError(kind, `The journal ${path} can't be written: ${text}.`, error);
}
