import type { Answer, FailureCode } from '@attractor/api';
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts';

const EXITS: Readonly<Partial<Record<FailureCode, ExitCode>>> = {
  not_found: EXIT.notFound,
  invalid: EXIT.refused,
  unknown_agent: EXIT.refused,
  blocked: EXIT.refused,
  conflict: EXIT.refused,
  bad_request: EXIT.refused,
  too_large: EXIT.refused,
  database: EXIT.database,
  unauthorised: EXIT.unauthorised,
  forbidden: EXIT.unauthorised,
  too_many_attempts: EXIT.unauthorised,
};

/** The value of an answer; a refusal ends the command with its message and the matching exit code. */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new CommandFailure(answer.error.message, EXITS[answer.error.code] ?? EXIT.failed);
}
