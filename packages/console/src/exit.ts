import type { Result } from '@attractor/base';
/** What a script can rely on. A command ends with one of these and, unless it succeeds, with one line on stderr that says what to do. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  database: 5,
  unauthorised: 6,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command that can't continue: shown as one line, without a stack. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

const REFUSAL_EXITS: Readonly<Record<string, ExitCode>> = {
  not_found: EXIT.notFound,
  invalid: EXIT.refused,
  unknown_agent: EXIT.refused,
  blocked: EXIT.refused,
  conflict: EXIT.refused,
  database: EXIT.database,
  unauthorised: EXIT.unauthorised,
  locked: EXIT.refused,
  no_space: EXIT.failed,
  permission: EXIT.database,
};

/** The value of a result, or its failure as an error. */
export function unwrap<Value>(result: Result<Value, { readonly code: string; readonly message: string }>): Value {
  if (result.ok) return result.value;
  throw new CommandFailure(result.error.message, REFUSAL_EXITS[result.error.code] ?? EXIT.failed);
}
