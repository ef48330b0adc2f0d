import { EnvironmentError, type EnvironmentErrorCode } from './environment-error.ts';

const ERRNO: Readonly<Record<string, readonly [EnvironmentErrorCode, string]>> = {
  ENOENT: ['not_found', 'does not exist: check the path, or list the folder'],
  ENOTDIR: ['not_a_directory', 'leads through something that is not a folder'],
  EISDIR: ['not_a_file', 'is a folder, not a file'],
  EEXIST: ['changed', 'appeared meanwhile: look again'],
  EACCES: ['permission', 'may not be accessed: permission denied'],
  EPERM: ['permission', 'may not be changed: operation not permitted'],
  EROFS: ['read_only', 'is on a read-only file system'],
  ENOSPC: ['no_space', 'could not be written: no space left on the disk; nothing was changed'],
  EDQUOT: ['no_space', 'could not be written: the disk quota is used up; nothing was changed'],
  ENAMETOOLONG: ['invalid_path', 'has a name that is too long'],
  ELOOP: ['invalid_path', 'goes through too many links'],
  EMFILE: ['failed', 'could not be opened: too many open files; try again'],
  ENFILE: ['failed', 'could not be opened: the machine has too many open files; try again'],
  EAGAIN: ['failed', 'could not be started: the machine runs too many processes; try again'],
  ENOMEM: ['failed', 'could not be started: the machine is out of memory'],
  E2BIG: ['too_large', 'is too long to be started: write it to a file and run that'],
  ENXIO: ['not_a_file', 'is not a regular file'],
};

const TRY_AGAIN = new Set(['EMFILE', 'ENFILE', 'EAGAIN']);

/** Turns a system error about `name` into something that a model can act on. Anything else is returned unchanged. */
export function environmentError(error: unknown, name: string): unknown {
  if (
    error instanceof EnvironmentError ||
    !(error instanceof Error) ||
    !('code' in error) ||
    typeof error.code !== 'string'
  )
    return error;
  const [code, text] = ERRNO[error.code] ?? (['failed', `failed: ${error.message}`] as const);
  return new EnvironmentError({
    code,
    message: `${name} ${text}.`,
    retryable: TRY_AGAIN.has(error.code),
    cause: error,
  });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
