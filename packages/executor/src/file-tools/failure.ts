import { EnvironmentError, type EnvironmentErrorCode } from '@attractor/system';

/** An open list: other words are allowed. */
export type FileToolErrorCode =
  | 'file_not_found'
  | 'path_outside_workspace'
  | 'is_directory'
  | 'not_a_directory'
  | 'write_failed'
  | 'read_failed'
  | 'find_not_found'
  | 'find_not_unique'
  | 'invalid_pattern'
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'not_text'
  | 'too_large'
  | 'out_of_range'
  | 'cancelled'
  | (string & {});

/** Why a file tool did nothing. The message tells the agent what to do instead. */
export class FileToolError extends Error {
  override readonly name = 'FileToolError';
  readonly code: FileToolErrorCode;

  constructor(code: FileToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type FileToolFailure = { readonly error: FileToolErrorCode; readonly message: string };

const CODES: Readonly<Partial<Record<EnvironmentErrorCode, FileToolErrorCode>>> = {
  not_found: 'file_not_found',
  not_a_file: 'is_directory',
  not_a_directory: 'not_a_directory',
  outside: 'path_outside_workspace',
  invalid_pattern: 'invalid_pattern',
  binary: 'not_text',
  too_large: 'too_large',
  out_of_range: 'out_of_range',
  aborted: 'cancelled',
};

/** The output for an expected failure, the same over every transport; null for a bug, which is thrown on. */
export function describeFailure(error: unknown, readOnly: boolean | undefined): FileToolFailure | null {
  if (error instanceof FileToolError) return { error: error.code, message: error.message };
  if (!(error instanceof EnvironmentError)) return null;
  const code = CODES[error.code] ?? (readOnly === true ? 'read_failed' : 'write_failed');
  return { error: code, message: error.message };
}
